import type { Dialect } from './sql.ts'

/**
 * A condition that a row of `table` is one of those whose key begins with some values and ends with one of many: the
 * parameters are the values of `first`, and a JSON array. Each row is sought by the key. PostgreSQL has to be made to: as
 * long as it has no statistics it takes whatever begins alike for few rows, and walks through all of them.
 *
 * @param first columns that the key begins with: `org`, or `org` and one of texts
 */
export function amongKeys(
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
