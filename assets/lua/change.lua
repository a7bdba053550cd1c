-- Changes scores and takes members off, and counts the version up, all or nothing, as long as the board takes scores: once, or
-- where the field 'version' of the meta hash is 'members', by one for each member.
-- KEYS[1]  the board
-- KEYS[2]  its version
-- KEYS[3]  its meta hash
-- ARGV[1]  'new' where the board must not be there yet; '' where that does not matter
-- ARGV[2]  how many scores follow, from ARGV[5] on, each as score and member
-- ARGV[3]  how many members that leave follow those; they leave after the scores are changed
-- ARGV[4]  how many fields of the meta hash follow those, each as field and value; one that is there stays as it is
-- Returns {'written', version, is_late} with the version as text, is_late 1 where the board is closing. Or, with nothing
-- written: {'there', rows} where the board must not be there yet; {'closed', closed_at}; {'over', grace_until} where the
-- board is closing and takes late scores no more. Times are in Unix milliseconds, nil where the meta hash has none.
-- Writes. O(changes * log n), at most 2000 of each kind: all are arguments of one command. Late scores are counted in
-- the field 'late' of the meta hash.
return finish(function()
  local key, version, hash = KEYS[1], KEYS[2], KEYS[3]
  local meta = attempt('HMGET', hash, 'state', 'closed_at', 'grace_until', 'version')
  if meta[1] == 'closed' then return {'closed', meta[2]} end
  local is_late = meta[1] == 'closing'
  if is_late and now() >= (tonumber(meta[3] or '') or 0) then return {'over', meta[3]} end
  local rows = attempt('ZCARD', key)
  if ARGV[1] == 'new' and rows > 0 then return {'there', rows} end

  local scores, leavers = tonumber(ARGV[2]), tonumber(ARGV[3])
  local leave = 5 + 2 * scores
  local fields = leave + leavers
  attempt('GET', version)
  if scores > 0 then permit('ZADD', key, '0', '') end
  if leavers > 0 then permit('ZREM', key, '') end
  if is_late and scores > 0 then permit('HINCRBY', hash, 'late', scores) end
  if ARGV[4] ~= '0' then permit('HSET', hash, '', '') end

  local members = meta[4] == 'members' and scores + leavers or 0
  if members > 1 then attempt('INCRBY', version, members) else attempt('INCR', version) end
  if is_late and scores > 0 then attempt('HINCRBY', hash, 'late', scores) end
  if scores > 0 then attempt('ZADD', key, unpack(ARGV, 5, leave - 1)) end
  if leavers > 0 then attempt('ZREM', key, unpack(ARGV, leave, fields - 1)) end
  for at = fields, #ARGV, 2 do
    if not attempt('HMGET', hash, ARGV[at])[1] then attempt('HSET', hash, ARGV[at], ARGV[at + 1]) end
  end
  -- The version is read as text: INCR answers with a number, and one past 2^53 loses digits here.
  return {'written', attempt('GET', version), is_late and 1 or 0}
end)
