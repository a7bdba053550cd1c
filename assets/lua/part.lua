-- Answers questions about one part of a board that lies in many sorted sets, all of them of one moment of that part.
-- KEYS[1]  the part
-- KEYS[2]  its version
-- KEYS[3]  its meta hash
-- ARGV[1]  '1' where the highest score is first
-- ARGV[2]  how many fields of the meta hash follow, from ARGV[3] on
-- Then questions, each a word and what belongs to it. A gap is a place between two rows: top; bottom; before or after,
-- score, member; start or end, score, of the rows of that score. Indexes count from 0.
--   count gap                how many rows are before it
--   rows gap above below     {rows before the gap, rows above it in the answer, rows}
--   sample n index...        {index, member, score, ...} of the rows there are at n indexes
--   between gap gap most     {rows before the first, before the second, {index, member, score, ...}}: all rows between them
--                            where there are at most `most`, else that many, evenly spaced
--   score member             its score, or nothing
--   better score bound       the distinct scores better than this one, the nearest first; -1 where there are more
-- Returns {version, total, pttl, fields, an answer each}.
-- Reads only. O(log n + rows) a question, and for `better` two look-ups a score.
-- Scores stay the strings they came as; members are compared byte by byte, for '<' on strings follows the locale.
local key, rev, call = KEYS[1], ARGV[1] == '1', redis.call
local range, rank = 'zrange', 'zrank'
if rev then range, rank = 'zrevrange', 'zrevrank' end
local total = call('zcard', key)
local at = 3 + tonumber(ARGV[2])

local function arg()
  at = at + 1
  return ARGV[at - 1]
end

local function number() return tonumber(arg()) end

local function better(score)
  if rev then return call('zcount', key, '(' .. score, '+inf') end
  return call('zcount', key, '-inf', '(' .. score)
end

local function through(score)
  if rev then return call('zcount', key, score, '+inf') end
  return call('zcount', key, '-inf', score)
end

local function row(index)
  local found = call(range, key, index, index, 'withscores')
  return found[1], found[2]
end

local function stands_before(a, b)
  for i = 1, math.min(#a, #b) do
    local x, y = string.byte(a, i), string.byte(b, i)
    if x ~= y then return (x < y) ~= rev end
  end
  return (#a < #b) ~= rev
end

-- Rows strictly before a place, and rows at or before it. A member that is not here is searched for within its ties.
local function place(score, member)
  local stands = call('zscore', key, member)
  if stands and tonumber(stands) == tonumber(score) then
    local index = call(rank, key, member)
    return index, index + 1
  end
  local low, high = better(score), through(score)
  while low < high do
    local middle = math.floor((low + high) / 2)
    if stands_before((row(middle)), member) then low = middle + 1 else high = middle end
  end
  return low, low
end

local function gap()
  local kind = arg()
  if kind == 'top' then return 0 end
  if kind == 'bottom' then return total end
  local score = arg()
  if kind == 'start' then return better(score) end
  if kind == 'end' then return through(score) end
  local before, at_or_before = place(score, arg())
  if kind == 'after' then return at_or_before end
  return before
end

local function add(rows, index)
  local member, score = row(index)
  if member then
    rows[#rows + 1] = index
    rows[#rows + 1] = member
    rows[#rows + 1] = score
  end
end

local ask = {}

function ask.count() return gap() end

function ask.rows()
  local before, above, below = gap(), number(), number()
  local from = math.max(before - above, 0)
  local to = math.min(before + below, total) - 1
  if to < from then return {before, 0, {}} end
  return {before, before - from, call(range, key, from, to, 'withscores')}
end

function ask.sample()
  local rows = {}
  for _ = 1, number() do add(rows, number()) end
  return rows
end

function ask.between()
  local from, to, most = gap(), gap(), number()
  local rows, count = {}, to - from
  if count <= most then
    local all = {}
    if count > 0 then all = call(range, key, from, to - 1, 'withscores') end
    for i = 1, #all, 2 do
      rows[#rows + 1] = from + (i - 1) / 2
      rows[#rows + 1] = all[i]
      rows[#rows + 1] = all[i + 1]
    end
  else
    for step = 0, most - 1 do add(rows, from + math.floor((2 * step + 1) * count / (2 * most))) end
  end
  return {from, to, rows}
end

function ask.score() return call('zscore', key, arg()) end

function ask.better()
  local score, bound, scores = arg(), number(), {}
  while true do
    local nearer
    if rev then
      nearer = call('zrangebyscore', key, '(' .. score, '+inf', 'withscores', 'limit', 0, 1)
    else
      nearer = call('zrevrangebyscore', key, '(' .. score, '-inf', 'withscores', 'limit', 0, 1)
    end
    score = nearer[2]
    if not score then return scores end
    if #scores == bound then return -1 end
    scores[#scores + 1] = score
  end
end

-- What belongs to the part but is of another type is as good as not there.
local version = redis.pcall('get', KEYS[2])
if type(version) == 'table' then version = false end
local meta = redis.pcall('hmget', KEYS[3], unpack(ARGV, 3, at - 1))
if meta.err then meta = {} end
local answers = {version, total, call('pttl', key), meta}
while at <= #ARGV do answers[#answers + 1] = ask[arg()]() end
return answers
