import { expect, test } from 'vitest'
import { capturedStream } from '../../../../test/support/captured-stream.ts'
import { fakeClock } from '../lib/clock.ts'
import { startProgress } from './progress.ts'

test('without a terminal it writes a line every five seconds and one at the end', () => {
  const clock = fakeClock()
  const stream = capturedStream()
  const progress = startProgress({ stream, clock, label: 'apps.jsonl', unit: 'records', total: 10_000 })
  for (let second = 0; second < 10; second += 1) {
    clock.advanceMs(1_000)
    progress.advance(1_000)
  }
  progress.finish()
  expect(stream.taken().split('\n')).toEqual([
    'apps.jsonl  50 %  5,000 of 10,000 records  1,000/s  5 s left',
    'apps.jsonl  100 %  10,000 of 10,000 records  1,000/s  10 s',
    'apps.jsonl  100 %  10,000 of 10,000 records  1,000/s  10 s',
    '',
  ])
})

test('on a terminal it overwrites one line at most ten times per second', () => {
  const clock = fakeClock()
  const stream = capturedStream(true, 100)
  const progress = startProgress({ stream, clock, label: 'apps.jsonl', unit: 'records', total: 1_000 })
  for (let step = 0; step < 200; step += 1) {
    clock.advanceMs(1)
    progress.advance(1)
  }
  const drawn = stream.taken().split('\r\u001B[K')
  expect(drawn).toHaveLength(3)
  expect(drawn[2]).toBe('apps.jsonl  [####................] 20 %  200 of 1,000 records  1,000/s  1 s left')
  progress.finish()
  expect(stream.taken()).toMatch(/\n$/)
})

test('a line never wraps on a narrow terminal', () => {
  const stream = capturedStream(true, 20)
  startProgress({ stream, clock: fakeClock(), label: 'a'.repeat(50), unit: 'records', total: 5 }).finish()
  expect(stream.taken()).toBe(`\r\u001B[K${'a'.repeat(19)}\n`)
})

test('with an unknown total it shows the count and the rate', () => {
  const clock = fakeClock()
  const stream = capturedStream()
  const progress = startProgress({ stream, clock, label: 'pull', unit: 'records' })
  clock.advanceMs(5_000)
  progress.advance(1_234_567)
  expect(stream.taken()).toBe('pull  1,234,567 records  246,913/s\n')
})

test('the count before a resume counts as done, but not for the rate', () => {
  const clock = fakeClock()
  const stream = capturedStream()
  const progress = startProgress({
    stream,
    clock,
    label: 'x',
    unit: 'rows',
    total: 20_000,
    doneBefore: 10_000,
  })
  clock.advanceMs(5_000)
  progress.advance(50)
  expect(stream.taken()).toBe('x  50 %  10,050 of 20,000 rows  10/s  16 min 35 s left\n')
})
