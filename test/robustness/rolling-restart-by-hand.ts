import { rollingRestart } from './rolling-restart.ts'

// Restarts three processes behind HAProxy under load, on an empty database:
// `npx node test/robustness/rolling-restart-by-hand.ts postgres://… 50000`.
const [databaseUrl = '', least = '50000'] = process.argv.slice(2)
const { lost, ...seen } = await rollingRestart(databaseUrl, Number(least))
console.log({ ...seen, lost: lost.length })
for (const line of lost) console.log(line)
if (lost.length > 0 || seen.stored !== seen.created) process.exitCode = 1
