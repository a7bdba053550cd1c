-- A page that begins at a place, a member or a score, with everything that belongs to its moment.
-- KEYS[1]   the board
-- KEYS[2]   its version
-- KEYS[3]   its meta hash; left out where the reader has no right to it
-- ARGV[1]   '1' where the highest score is first
-- ARGV[2]   where the page begins: position last after before from place member row score nexttie prevtie nextscore
--           prevscore
-- ARGV[3]   of position and row: the index from 0; of member: the member; else the score
-- ARGV[4]   of after, before, from and place: the member of the place
-- ARGV[5]   how many rows
-- ARGV[6]   how many of them above the row that is looked for
-- ARGV[7]   '1': of before, fill the first page up
-- ARGV[8]   further turns from there: '+' towards the end, '-' towards the top
-- ARGV[9]   '' or which boundary is wanted: 'through' rows at or before a place, 'above' rows strictly before it
-- ARGV[10]  the score of that place
-- ARGV[11]  the member of that place
-- ARGV[12]  '1': the position of member ARGV[13] is wanted too
-- ARGV[14]  up to how many distinct better scores are counted; 0: none
-- ARGV[15]  how many rows a search for tie groups looks at
-- ARGV[16]  which scores share a rank: the width, the offset and the rounding of grouping.lua, in three
-- ARGV[19]  and on: the fields of the meta hash
-- Returns {'page', start, target, boundary, tracked, better, through, distinct, total, version, pttl, meta, rows}, with
-- -1 for what was not asked for or is not there; or {'absent'}, {'nofurther'}, {'onward', score, reached}.
-- Reads only. O(log n + rows), and O(rows looked at) for tie groups; the size of a tie group costs nothing.
-- Scores stay the strings they came as; members are compared byte by byte, for '<' on strings follows the locale.
local key, rev = KEYS[1], ARGV[1] == '1'
local mode, what = ARGV[2], ARGV[3]
local size, lead = tonumber(ARGV[5]), tonumber(ARGV[6])
local call = redis.call
local range, rank = 'zrange', 'zrank'
if rev then range, rank = 'zrevrange', 'zrevrank' end
local total = call('zcard', key)

-- Rows better than a score, and rows at least as good: of its group, or of itself.
local function better(score, alone)
  local _, _, above, below = group(score, alone or ARGV[16], ARGV[17], ARGV[18])
  if rev then return call('zcount', key, above, '+inf') end
  return call('zcount', key, '-inf', below)
end

local function through(score, alone)
  local from, to = group(score, alone or ARGV[16], ARGV[17], ARGV[18])
  if rev then return call('zcount', key, from, '+inf') end
  return call('zcount', key, '-inf', to)
end

local function row(index)
  local found = call(range, key, index, index, 'withscores')
  return found[1], found[2]
end

-- Two scores as this server writes them: one text for each double, but two for zero.
local function tied(a, b)
  if a == b or ((a == '0' or a == '-0') and (b == '0' or b == '-0')) then return true end
  return ARGV[16] ~= '' and group(a, ARGV[16], ARGV[17], ARGV[18]) == group(b, ARGV[16], ARGV[17], ARGV[18])
end

local function stands_before(a, b)
  local shorter = math.min(#a, #b)
  for at = 1, shorter do
    local x, y = string.byte(a, at), string.byte(b, at)
    if x ~= y then return (x < y) ~= rev end
  end
  return (#a < #b) ~= rev
end

-- Rows strictly before the place, and rows at or before it.
local function place(score, member)
  local stands = call('zscore', key, member)
  if stands and tonumber(stands) == tonumber(score) then
    local index = call(rank, key, member)
    return index, index + 1
  end
  local low, high = better(score, ''), through(score, '')
  while low < high do
    local middle = math.floor((low + high) / 2)
    if stands_before((row(middle)), member) then low = middle + 1 else high = middle end
  end
  return low, low
end

-- Looks at the rows from index `from` to `to` for the nearest two neighbours of one score.
local function tie(from, to, down)
  if to <= from then return nil end
  local rows = call(range, key, from, to, 'withscores')
  local last = #rows / 2
  if down then
    for at = 1, last - 1 do
      if tied(rows[2 * at], rows[2 * at + 2]) then return rows[2 * at], from + at - 1 end
    end
    return nil, rows[2 * last - 2]
  end
  for at = last - 1, 1, -1 do
    if tied(rows[2 * at], rows[2 * at + 2]) then return rows[2 * at] end
  end
  return nil, rows[4]
end

local start, target = 0, -1
if mode == 'position' then
  start = math.min(tonumber(what), total)
elseif mode == 'last' then
  start = math.max(total - size, 0)
elseif mode == 'after' then
  local _, at_or_before = place(what, ARGV[4])
  start = at_or_before
elseif mode == 'before' then
  local above = place(what, ARGV[4])
  if ARGV[7] ~= '1' then size = math.min(size, above) end
  start = math.max(above - size, 0)
elseif mode == 'from' then
  start = place(what, ARGV[4])
else
  if mode == 'member' then
    local index = call(rank, key, what)
    if not index then return {'absent'} end
    target = index
  elseif mode == 'row' then
    target = math.min(tonumber(what), total - 1)
  elseif mode == 'place' then
    local above = place(what, ARGV[4])
    target = math.min(above, total - 1)
  elseif mode == 'score' then
    target = math.min(better(what), total - 1)
  elseif mode == 'nextscore' then
    target = through(what)
    if target >= total then return {'nofurther'} end
  elseif mode == 'prevscore' then
    local above = better(what)
    if above == 0 then return {'nofurther'} end
    local _, score = row(above - 1)
    target = better(score)
  elseif mode == 'nexttie' then
    local from = through(what)
    local to = math.min(from + ARGV[15] - 1, total - 1)
    local score, found = tie(from, to, true)
    if not score then
      if to >= total - 1 then return {'nofurther'} end
      return {'onward', found, to + 1}
    end
    target = found
  elseif mode == 'prevtie' then
    local to = better(what) - 1
    local from = math.max(to + 1 - ARGV[15], 0)
    local score, onward = tie(from, to, false)
    if not score then
      if from == 0 then return {'nofurther'} end
      return {'onward', onward, from + 1}
    end
    target = better(score)
  end
  start = math.max(math.min(target - lead, total - size), 0)
end

for turn in string.gmatch(ARGV[8], '.') do
  if turn == '-' then
    start = math.max(start - size, 0)
  elseif start + size < total then
    start = start + size
  end
end

local rows = {}
if size > 0 then rows = call(range, key, start, start + size - 1, 'withscores') end
local first, last = rows[2], rows[#rows]
local above_first, through_last, distinct = 0, 0, -1
if first then above_first, through_last = better(first), through(last) end
local bound = tonumber(ARGV[14])
if bound > 0 then
  distinct = 0
  local score = first
  while score do
    local nearer
    local _, _, above, below = group(score, ARGV[16], ARGV[17], ARGV[18])
    if rev then
      nearer = call('zrangebyscore', key, above, '+inf', 'withscores', 'limit', 0, 1)
    else
      nearer = call('zrevrangebyscore', key, below, '-inf', 'withscores', 'limit', 0, 1)
    end
    score = nearer[2]
    if score then
      distinct = distinct + 1
      if distinct > bound then
        distinct = -1
        break
      end
    end
  end
end

local boundary = -1
if ARGV[9] ~= '' then
  local above, at_or_before = place(ARGV[10], ARGV[11])
  boundary = ARGV[9] == 'through' and at_or_before or above
end
local tracked = -1
if ARGV[12] == '1' then tracked = call(rank, key, ARGV[13]) or -1 end

-- What belongs to the board but is of another type is as good as not there.
local version = redis.pcall('get', KEYS[2])
if type(version) == 'table' then version = false end
local meta = {}
if KEYS[3] and ARGV[19] then
  meta = redis.pcall('hmget', KEYS[3], unpack(ARGV, 19))
  if meta.err then meta = {} end
end
-- Nor does a board need its expiry to be told: -3 where it is not.
local pttl = redis.pcall('pttl', key)
if type(pttl) == 'table' then pttl = -3 end
return {
  'page', start, target, boundary, tracked, above_first, through_last, distinct, total, version, pttl,
  meta, rows,
}
