import { noticeCrash } from './crash-notices.ts'

// Kills servers that send notices, at random moments: `npx node test/robustness/crash-notices-by-hand.ts 20`.
// With the URL
// of an empty PostgreSQL database as second argument, three servers run at the same time.
const kills = Number(process.argv[2] ?? 20)
const databaseUrl = process.argv[3]

const seen = await noticeCrash({
  databaseUrl,
  processes: databaseUrl === undefined ? 1 : 3,
  holders: kills * 40,
  killsAfterMs: Array.from({ length: kills }, () => Math.round(Math.random() * 300)),
})
console.log(JSON.stringify(seen))
if (seen.doubled.length + seen.lost.length > 0) process.exitCode = 1
