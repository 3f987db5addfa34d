import { expect, test } from 'vitest'
import { mentionsPerson, textsOf } from './person-mention.ts'

const uuid = '01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90'
const names = (id: string, text: string) => mentionsPerson(text, { ids: [id], spellings: [] })

test('finds an ID of Muster in any text', () => {
  expect(names(uuid, `{"employeeid":"${uuid}"}`)).toBe(true)
  expect(names(uuid, `employee:${uuid}.`)).toBe(true)
  expect(names(uuid, '{"employeeid":"01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e91"}')).toBe(false)
})

test('finds an imported ID as a whole word only, in any case', () => {
  for (const text of ['{"employeeid":"emp-7"}', 'accounts of employee emp-7', '/employees/emp-7/offboard'])
    expect(names('EMP-7', text), text).toBe(true)
  for (const text of ['{"employeeid":"emp-70"}', '{"employeeid":"temp-7"}', '{"employeeid":"x-emp-7"}'])
    expect(names('EMP-7', text), text).toBe(false)
  expect(names('7', '{"count":7,"version":"142.0.7","timestamp":1763712007}')).toBe(false)
  expect(names('7', '{"employeeid":"7"}')).toBe(true)
})

test('search terms are in lower case', () => {
  expect(textsOf({ ids: ['EMP-7'], spellings: ['ada@example.com'] })).toEqual(['emp-7', 'ada@example.com'])
})
