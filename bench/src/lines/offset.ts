import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Load, runLoad } from '../load.ts'
import type { Line } from '../report.ts'
import { median } from '../statistics.ts'
import type { ReadSetting } from './reads.ts'

const countSql =
  'SELECT count(*) FROM (SELECT 1 FROM browser_extensions INDEXED BY browser_extensions_walk WHERE org = 1 AND unlisted = 0 AND seq > 0 LIMIT ?)'

/** Line 4: a page after almost all records, compared with counting as many entries of the same index. */
export async function offset(setting: ReadSetting, rows: number): Promise<Line> {
  const { store, servers, rounds } = setting
  const skipped = Math.floor(rows * 0.999)
  const load: Load = {
    paths: [`/v1/browserExtensions?offset=${skipped}`],
    apiKey: store.apiKey,
    connections: 1,
    amount: 10,
  }
  const pages: number[] = []
  const counts: number[] = []
  for (let round = 0; round <= rounds; round += 1) {
    if (store.name === 'SQLite') counts.push(countMs(join(store.dataDir, 'muster.db'), skipped))
    pages.push((await runLoad(servers.muster, load)).p50Ms)
  }
  const ms = median(pages.slice(1))
  const bareMs = store.name === 'SQLite' ? median(counts.slice(1)) : undefined
  const bare =
    bareMs === undefined ? '' : `, ${(ms / bareMs).toFixed(2)} × a bare count of ${bareMs.toFixed(1)} ms`
  return {
    number: 4,
    workload: `offset ${skipped}, ${store.name}`,
    target: store.name === 'SQLite' ? '≤ 30 ms and ≤ 1.2 × bare count' : 'none set',
    measured: `${ms.toFixed(1)} ms${bare}`,
    met: bareMs === undefined ? undefined : ms <= 30 && ms <= 1.2 * bareMs,
    figures: { ms, bareMs },
  }
}

function countMs(file: string, rows: number): number {
  const database = new DatabaseSync(file, { readOnly: true })
  database.exec('PRAGMA cache_size = -32768')
  const statement = database.prepare(countSql)
  statement.get(rows)
  const times = Array.from({ length: 10 }, () => {
    const beganMs = performance.now()
    statement.get(rows)
    return performance.now() - beganMs
  })
  database.close()
  return median(times)
}
