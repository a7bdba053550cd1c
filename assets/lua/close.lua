-- Ends a board's period: no more scores, from now on or after a time of grace for late ones.
-- KEYS[1]  the board
-- KEYS[2]  its version
-- KEYS[3]  its meta hash
-- ARGV[1]  how long late scores are taken, in milliseconds; '': not at all
-- ARGV[2]  how long the three keys live after the close, in milliseconds; '': as long as they would anyway
-- ARGV[3]  'part' where the board is a part of a larger one, and may have no rows of its own
-- Returns {'closed', closed_at, version, rows} or {'closing', grace_until, version, rows}, the version as text. Or, with
-- nothing written: {'missing'}; {'already', closed_at}; {'waiting', grace_until} where a time of grace was wanted and one
-- runs. Times are in Unix milliseconds, nil where the meta hash has none.
-- Writes. O(1). The version counts each change of the state; after the close it is the last one.
return finish(function()
  local rows = attempt('ZCARD', KEYS[1])
  if rows == 0 and ARGV[3] ~= 'part' then return {'missing'} end
  local meta = attempt('HMGET', KEYS[3], 'state', 'closed_at', 'grace_until')
  if meta[1] == 'closed' then return {'already', meta[2]} end
  local moment = now()
  local grace = tonumber(ARGV[1])
  if grace and meta[1] == 'closing' then
    if moment < (tonumber(meta[3] or '') or 0) then return {'waiting', meta[3]} end
    grace = nil
  end

  local till = string.format('%.0f', moment + (grace or 0))
  local state = {'state', 'closed', 'closed_at', till}
  if grace then state = {'state', 'closing', 'grace_until', till, 'closes_at', till} end
  local life = ARGV[2] ~= '' and string.format('%.0f', tonumber(ARGV[2]) + (grace or 0))
  attempt('GET', KEYS[2])
  permit('HSET', KEYS[3], unpack(state))
  for _, key in ipairs(life and KEYS or {}) do permit('PEXPIRE', key, life) end

  attempt('INCR', KEYS[2])
  attempt('HSET', KEYS[3], unpack(state))
  for _, key in ipairs(life and KEYS or {}) do attempt('PEXPIRE', key, life) end
  return {state[2], till, attempt('GET', KEYS[2]), rows}
end)
