import type { Dialect } from './sql.ts'

/**
 * Returns the condition that the key of a row of `table` starts with given values and ends with one of many. The parameters
 * are the values of `first`, and a JSON array. Each row is looked up by its key. On PostgreSQL, a LATERAL join forces these
 * lookups: without statistics, the planner expects few rows with the same first columns and reads all of them.
 *
 * @param first columns that the key starts with: `org`, or `org` and a text column
 */
export function keyInList(
  dialect: Dialect,
  table: string,
  first: readonly ['org'] | readonly ['org', string],
  last: string,
): string {
  if (dialect.name === 'sqlite')
    return `${first.map((column) => `${column} = ? AND `).join('')}${last} IN (SELECT value FROM json_each(?))`
  const given = first.map((column) => `CAST(? AS ${column === 'org' ? 'bigint' : 'text'}) AS ${column}`)
  const same = first.map((column) => `${column} = given.${column} AND `).join('')
  return `ctid = ANY (ARRAY(SELECT found.ctid FROM (SELECT ${given.join(', ')}, CAST(? AS text) AS wanted) AS given
    CROSS JOIN LATERAL json_array_elements_text(given.wanted::json) AS wanted(value)
    CROSS JOIN LATERAL (SELECT ctid FROM ${table} WHERE ${same}${last} = wanted.value OFFSET 0) AS found))`
}
