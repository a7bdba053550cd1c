-- What the scripts that write begin with: a command that is refused ends the script with an answer, not with an error.
-- attempt(command, key, ...) returns the reply. finish(write) runs `write` and returns its answer; where a command was
-- refused, {'refused', command, key, what the server said} instead. What was written before stays written, so scripts
-- - read what they will read, and ask permit(command, key, ...) for what they will write, before the first write;
-- - write the version first: before Redis 7.0 nobody can be asked, and a version too many does less harm than one too few.
local function attempt(command, key, ...)
  local reply = redis.pcall(command, key, ...)
  if type(reply) == 'table' and reply.err then error({'refused', command, key, reply.err}) end
  return reply
end

local function permit(command, key, ...)
  if redis.acl_check_cmd and not redis.acl_check_cmd(command, key, ...) then
    error({'refused', command, key, 'NOPERM'})
  end
end

local function finish(write)
  local is_done, answer = pcall(write)
  if is_done or type(answer) == 'table' then return answer end
  return redis.error_reply(answer)
end

-- The moment, in Unix milliseconds.
local function now()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
