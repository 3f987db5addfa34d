/**
 * Ends the query of an EXISTS that is looked up for each row of the outer query. Without it PostgreSQL may turn the EXISTS into
 * a join: with statistics from a time with fewer rows, it then reads all rows that could match.
 */
export const runPerRow = 'LIMIT 1 OFFSET 0'
