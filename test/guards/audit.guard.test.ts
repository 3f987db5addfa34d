import { operations } from '@muster/contract/api/api'
import { methodOf } from '@muster/contract/api/operation'
import { consoleOperations } from '@muster/contract/console/console-api'
import { expect, test } from 'vitest'
import { commandsOf } from '../../server/src/main/commands.ts'
import {
  auditedCommands,
  auditedConsole,
  auditedV1,
  auditViolations,
  unauditedCommands,
  unauditedConsole,
} from './audited-acts.ts'

test('reports an operation without an audit event, unless a reason is given', () => {
  const reason = 'It only shows what is there.'
  expect(auditViolations(['change', 'show'], { change: ['SETTING_UPDATED'] }, { show: reason })).toEqual([])
  expect(auditViolations(['change', 'show'], {}, { show: reason })).toHaveLength(1)
  expect(auditViolations(['show'], { show: ['SETTING_UPDATED'] }, { show: reason })).toHaveLength(1)
  expect(auditViolations([], {}, { show: reason })).toHaveLength(1)
  expect(auditViolations(['show'], {}, { show: 'no' })).toHaveLength(1)
})

test('every non-GET operation of /v1 records an audit event', () => {
  const acts = Object.entries(operations).filter(([, operation]) => methodOf(operation) !== 'GET')
  const names = acts.map(([name]) => name)
  expect(auditViolations(names, auditedV1, {})).toEqual([])
})

test('every non-GET operation of the console records an audit event, or has a reason', () => {
  const acts = Object.entries(consoleOperations).filter(([, { method }]) => method !== 'GET')
  const names = acts.map(([name]) => name)
  expect(auditViolations(names, auditedConsole, unauditedConsole)).toEqual([])
})

test('every command records an audit event, or has a reason', async () => {
  const names = (await commandsOf()).map(({ name }) => name)
  expect(auditViolations(names, auditedCommands, unauditedCommands)).toEqual([])
})
