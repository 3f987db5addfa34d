import { beforeEach, expect, test } from 'vitest'
import { onPageEvent, receiveCaptured } from '../observe/page-events.ts'
import { frameWatch, keepCaptured, stopCapturing } from './frame-watch.ts'

const press = (key: string) => Object.assign(new Event('keydown'), { key })
const handle = (key: string) => frameWatch().handle({ kind: 'EVENT', event: press(key) })
const copy = { text: 'a text', selected: '', readable: '' }
const isFree = () => false

let keys: string[] = []
onPageEvent('keydown', ({ key }) => keys.push(key))

beforeEach(() => {
  keys = []
  stopCapturing()
  frameWatch().handle = keepCaptured
})

test('the observer gets earlier events first, in order', () => {
  for (const key of ['a', 'b']) handle(key)
  expect(keys).toEqual([])
  receiveCaptured(isFree, isFree)
  handle('c')
  expect(keys).toEqual(['a', 'b', 'c'])
})

test('at most 64 events are kept for the observer', () => {
  for (let index = 0; index < 1000; index++) handle(String(index))
  expect(frameWatch().early).toHaveLength(64)
  receiveCaptured(isFree, isFree)
  expect(keys.at(0)).toBe('936')
  expect(frameWatch().early).toEqual([])
})

test('nothing is kept while observation is off', () => {
  handle('a')
  stopCapturing()
  handle('b')
  receiveCaptured(isFree, isFree)
  expect(keys).toEqual([])
})

test('a copy passes until the observer is loaded, which judges it afterwards', () => {
  const late: string[] = []
  const isKept = frameWatch().handle({ kind: 'COPY', copy })
  receiveCaptured(
    ({ text }) => late.push(text) > 0,
    () => true,
  )
  expect([isKept, late]).toEqual([false, ['a text']])
  expect(frameWatch().handle({ kind: 'COPY', copy })).toBe(true)
})
