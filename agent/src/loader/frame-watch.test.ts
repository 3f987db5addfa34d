import { beforeEach, expect, test } from 'vitest'
import { onPageEvent, takeOver } from '../observe/page-events.ts'
import { frameWatch, keepHeard, stopHearing } from './frame-watch.ts'

const press = (key: string) => Object.assign(new Event('keydown'), { key })
const hear = (key: string) => frameWatch().hear({ kind: 'EVENT', event: press(key) })
const copy = { text: 'a text', selected: '', readable: '' }
const isFree = () => false

let keys: string[] = []
onPageEvent('keydown', ({ key }) => keys.push(key))

beforeEach(() => {
  keys = []
  stopHearing()
  frameWatch().hear = keepHeard
})

test('the observer gets earlier events first, in order', () => {
  for (const key of ['a', 'b']) hear(key)
  expect(keys).toEqual([])
  takeOver(isFree, isFree)
  hear('c')
  expect(keys).toEqual(['a', 'b', 'c'])
})

test('at most 64 events are kept for the observer', () => {
  for (let index = 0; index < 1000; index++) hear(String(index))
  expect(frameWatch().early).toHaveLength(64)
  takeOver(isFree, isFree)
  expect(keys.at(0)).toBe('936')
  expect(frameWatch().early).toEqual([])
})

test('nothing is kept while observation is off', () => {
  hear('a')
  stopHearing()
  hear('b')
  takeOver(isFree, isFree)
  expect(keys).toEqual([])
})

test('a copy passes until the observer is loaded, which judges it afterwards', () => {
  const late: string[] = []
  const isKept = frameWatch().hear({ kind: 'COPY', copy })
  takeOver(
    ({ text }) => late.push(text) > 0,
    () => true,
  )
  expect([isKept, late]).toEqual([false, ['a text']])
  expect(frameWatch().hear({ kind: 'COPY', copy })).toBe(true)
})
