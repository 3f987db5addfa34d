import { crashRound } from './crash-round.ts'

// Kills a writing server at random moments: `npx node test/robustness/crash-by-hand.ts 20`.
const rounds = Number(process.argv[2] ?? 20)
for (let round = 1; round <= rounds; round++) {
  const seen = await crashRound(Math.round(Math.random() * 1500))
  const bad = seen.lost.length > 0 || seen.doubled.length > 0 || seen.integrity !== 'ok'
  console.log(`${round}/${rounds} ${bad ? 'FAILED' : 'ok'} ${JSON.stringify(seen)}`)
  if (bad) process.exitCode = 1
}
