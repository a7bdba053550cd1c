-- Which scores share a rank with one, as bounds that Redis counts by: the same arithmetic as src/board/grouping.rs.
-- width   how far apart the groups' bounds are; '' where only equal scores share a rank
-- offset  one of the bounds
-- up      '1' where a bound belongs to the group below it
-- Returns the lower and the upper bound of the group, the lower bound of all scores above it, the upper bound of those below.
local function group(score, width, offset, up)
  if width ~= '' then
    local v, w, o = tonumber(score), tonumber(width), tonumber(offset)
    local function under(bound)
      if up == '1' then return v <= bound end
      return v < bound
    end
    local i = math.floor((v - o) / w)
    if up == '1' then i = math.ceil((v - o) / w) - 1 end
    if under(o + i * w) then i = i - 1 elseif not under(o + (i + 1) * w) then i = i + 1 end
    local low, high = o + i * w, o + (i + 1) * w
    if not under(low) and under(high) then
      low, high = string.format('%.17g', low), string.format('%.17g', high)
      if up == '1' then return '(' .. low, high, '(' .. high, low end
      return low, '(' .. high, high, '(' .. low
    end
  end
  return score, score, '(' .. score, '(' .. score
end
