-- Copies a board with its version to a key of its own, all of one moment, and lets the copy live for a while.
-- KEYS[1]  the board
-- KEYS[2]  its version
-- KEYS[3]  its meta hash
-- KEYS[4]  the copy; the board itself, where that is a copy already and only its life may become longer
-- KEYS[5]  the version of the copy
-- KEYS[6]  the meta hash of the copy
-- ARGV[1]  the version at which the copy is wanted; it is part of the copy's key
-- ARGV[2]  how long the copy lives, in milliseconds
-- Returns {'made', rows, ms}; {'kept', rows, ms} where the copy was there; both with the time it will live, -1: for
-- ever. Or, with nothing written: {'missing'}; {'moved', version} where the board has another version; {'other'} where something else
-- is at the copy's key. Whether that is a copy of this board, its size, its version and 65 rows spread over it say.
-- Writes. O(n) for the first copy, during which the server does nothing else; O(log n) when it is there. A life only
-- ever becomes longer.
local board, copy, call = KEYS[1], KEYS[4], redis.call
local total = call('zcard', board)
if total == 0 then return {'missing'} end
local version = redis.pcall('get', KEYS[2])
if version ~= ARGV[1] then return {'moved', type(version) == 'string' and version} end

local function is_like_board()
  if call('type', copy).ok ~= 'zset' or call('zcard', copy) ~= total then return false end
  local held = redis.pcall('get', KEYS[5])
  if held and held ~= ARGV[1] then return false end
  for step = 0, 64 do
    local at = math.floor(step * (total - 1) / 64)
    local a, b = call('zrange', board, at, at, 'withscores'), call('zrange', copy, at, at, 'withscores')
    if a[1] ~= b[1] or a[2] ~= b[2] then return false end
  end
  return true
end

local is_made = board ~= copy and call('copy', board, copy) == 1
if not is_made and not is_like_board() then return {'other'} end
-- Companions without their copy are left over from something else; a copy may have lost its own.
if is_made then call('del', KEYS[5], KEYS[6]) end
if call('exists', KEYS[5]) == 0 then call('set', KEYS[5], ARGV[1]) end
if call('exists', KEYS[6]) == 0 then
  local now = call('time')
  call('hset', KEYS[6], 'state', 'closed', 'closed_at', now[1] .. string.format('%03d', math.floor(now[2] / 1000)))
  for _, field in ipairs({'title', 'order', 'rank'}) do
    local value = redis.pcall('hget', KEYS[3], field)
    if type(value) == 'string' then call('hset', KEYS[6], field, value) end
  end
end

local left = is_made and 0 or call('pttl', copy)
if left == -1 then
  call('persist', KEYS[5])
  call('persist', KEYS[6])
  return {'kept', total, -1}
end
local life = math.max(left, tonumber(ARGV[2]))
for at = 4, 6 do call('pexpire', KEYS[at], life) end
return {is_made and 'made' or 'kept', total, life}
