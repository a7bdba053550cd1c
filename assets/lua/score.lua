-- Changes one member's score and counts the version up, both or neither, as long as the board takes scores.
-- KEYS[1]  the board; it and the member are made where they are not there
-- KEYS[2]  its version
-- KEYS[3]  its meta hash
-- ARGV[1]  'by' to add to the score, 0 where there is none; 'set' to replace it
-- ARGV[2]  the number
-- ARGV[3]  the member
-- ARGV[4]  'desc' or 'asc': which end is the top; '': what the meta hash says, else desc
-- Returns {'written', before, after, better, version, is_late} with scores as text, before nil where the member is new,
-- better the count of strictly better members, is_late 1 where the board is closing. Or, with nothing written:
-- {'closed', closed_at}; {'over', grace_until} where the board is closing and takes late scores no more;
-- {'infinite', before} where the score would be no finite number. Times are in Unix milliseconds, nil where the meta hash
-- has none.
-- Writes. O(log n). A late score is counted in the field 'late' of the meta hash.
return finish(function()
  local key, number, member = KEYS[1], ARGV[2], ARGV[3]
  local meta = attempt('HMGET', KEYS[3], 'state', 'closed_at', 'grace_until', 'order')
  if meta[1] == 'closed' then return {'closed', meta[2]} end
  local is_late = meta[1] == 'closing'
  if is_late and now() >= (tonumber(meta[3] or '') or 0) then return {'over', meta[3]} end

  local order = ARGV[4] ~= '' and ARGV[4] or meta[4]
  local function better(score)
    if order == 'asc' then return attempt('ZCOUNT', key, '-inf', '(' .. score) end
    return attempt('ZCOUNT', key, '(' .. score, '+inf')
  end

  local before = attempt('ZSCORE', key, member)
  local sum = tonumber(number)
  if ARGV[1] == 'by' then sum = sum + tonumber(before or '0') end
  -- Only what is no number differs from itself.
  if math.abs(sum) == math.huge or sum ~= sum then return {'infinite', before} end
  attempt('GET', KEYS[2])
  better(before or '0')
  local write = ARGV[1] == 'by' and 'ZINCRBY' or 'ZADD'
  permit(write, key, number, member)
  if is_late then permit('HINCRBY', KEYS[3], 'late', 1) end

  attempt('INCR', KEYS[2])
  if is_late then attempt('HINCRBY', KEYS[3], 'late', 1) end
  attempt(write, key, number, member)

  local after = attempt('ZSCORE', key, member)
  -- The version is read as text: INCR answers with a number, and one past 2^53 loses digits here.
  return {'written', before, after, better(after), attempt('GET', KEYS[2]), is_late and 1 or 0}
end)
