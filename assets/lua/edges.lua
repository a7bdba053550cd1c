-- How many members are strictly better than one row, and how many are at least as good as another.
-- KEYS[1]  the board
-- ARGV[1]  index of the first row, from 0 in the order of the board
-- ARGV[2]  index of the last row; the last one there is, where the board is shorter
-- ARGV[3]  '1' where the highest score is first
-- ARGV[4]  which scores share a rank: the width, the offset and the rounding of grouping.lua, in three
-- Returns {better, through}; nothing where the board has no row at ARGV[1].
-- Reads only, O(log n). Scores stay the strings they came as: a Lua number would be cut to an integer on its way out.
local k, r = KEYS[1], ARGV[3] == '1'
local z = r and 'zrevrange' or 'zrange'
local e = math.min(ARGV[2] + 0, redis.call('zcard', k) - 1)
local a = redis.call(z, k, ARGV[1], ARGV[1], 'withscores')[2]
if not a then return {} end
local b = redis.call(z, k, e, e, 'withscores')[2]
local _, _, above, below = group(a, ARGV[4], ARGV[5], ARGV[6])
local from, to = group(b, ARGV[4], ARGV[5], ARGV[6])
if r then return {redis.call('zcount', k, above, '+inf'), redis.call('zcount', k, from, '+inf')} end
return {redis.call('zcount', k, '-inf', below), redis.call('zcount', k, '-inf', to)}
