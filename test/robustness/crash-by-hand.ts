import { importCrash } from './crash-import.ts'
import { ingestCrash } from './crash-ingest.ts'
import { crashRound } from './crash-round.ts'
import { webhookCrash } from './crash-webhooks.ts'

// Kills a writing server, an import, a server with reporting browsers and one that delivers events, at random
// moments:
// `npx node test/robustness/crash-by-hand.ts 20`.
const rounds = Number(process.argv[2] ?? 20)

function report(round: number, good: boolean, seen: object): void {
  console.log(`${round}/${rounds} ${good ? 'ok' : 'FAILED'} ${JSON.stringify(seen)}`)
  if (!good) process.exitCode = 1
}

for (let round = 1; round <= rounds; round++) {
  const server = await crashRound(Math.round(Math.random() * 1500))
  report(round, server.lost.length + server.doubled.length === 0 && server.integrity === 'ok', server)
  const taken = await importCrash(400 + Math.round(Math.random() * 1800))
  const whole = taken.code === 0 && taken.records === 20_000 && taken.ids === 20_000
  report(round, whole && taken.integrity === 'ok, ok', taken)
  const ingest = await ingestCrash(Math.round(Math.random() * 2000))
  const webhooks = await webhookCrash(Math.round(Math.random() * 1500))
  const { lost, invented, altered, disordered } = webhooks
  const wrong = lost.length + invented.length + altered.length + disordered.length
  report(round, wrong === 0 && webhooks.integrity === 'ok, ok', webhooks)
  report(round, ingest.lost.length + ingest.doubled.length === 0 && ingest.integrity === 'ok', ingest)
}
