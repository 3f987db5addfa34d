import { describe, expect, test } from 'vitest'
import { accounts } from '../records/account.ts'
import { apps } from '../records/app.ts'
import { operations } from './api.ts'
import { allWithoutCase, contains, exact } from './collection.ts'
import { filterValueSchema, queryParameters } from './filter-schema.ts'
import type { Operation } from './operation.ts'

const names = (operation: Operation) => queryParameters(operation).map(({ name }) => name)

describe('the value of a filter', () => {
  test('of a nullable enum is one of the values, not null', () => {
    expect(filterValueSchema(apps, exact('approvalStatus'))).toEqual({
      type: 'string',
      enum: ['UNDER_REVIEW', 'APPROVED', 'NOT_APPROVED'],
    })
  })

  test('of an array is one of its items', () => {
    expect(filterValueSchema(apps, allWithoutCase('labels'))).toEqual({
      type: 'string',
      minLength: 1,
      maxLength: 64,
      format: 'name',
    })
  })

  test('of a nullable time is a second', () => {
    expect(filterValueSchema(accounts, { kind: 'after', member: 'lastUsedTimestamp' })).toEqual({
      type: 'integer',
      minimum: 0,
      maximum: 4_294_967_295,
    })
  })

  test('of kind contains is a non-empty text', () => {
    expect(filterValueSchema(accounts, contains('email'))).toEqual({
      type: 'string',
      minLength: 1,
      maxLength: 254,
      format: 'line',
    })
  })

  test('of an unknown member is refused with both names', () => {
    expect(() => filterValueSchema(apps, { kind: 'exact', member: 'color' })).toThrow(
      'apps has no member color',
    )
  })
})

describe('the query parameters', () => {
  test('of a list are its filters, then paging', () => {
    expect(names(operations.listBrowserExtensions)).toEqual([
      'extensionId',
      'employeeId',
      'browserId',
      'deploymentMode',
      'permissions',
      'hostPermissions',
      'enabled',
      'limit',
      'nextToken',
      'offset',
    ])
    expect(names(operations.listAccountUsers)).toEqual(['limit', 'nextToken', 'offset'])
  })

  test('can only be repeated for array filters', () => {
    const repeated = queryParameters(operations.listBrowserExtensions).filter(
      ({ maxValues }) => maxValues > 1,
    )
    expect(repeated.map(({ name, maxValues }) => [name, maxValues])).toEqual([
      ['permissions', 50],
      ['hostPermissions', 50],
    ])
  })

  test('of a DELETE with a value contain that value', () => {
    expect(names(operations.deleteLoginMethod)).toEqual(['loginMethod'])
    expect(names(operations.deleteAppLabel)).toEqual(['label'])
    expect(names(operations.deleteEmployeeFromGroup)).toEqual(['group'])
  })

  test('of other calls are empty', () => {
    const others = [
      operations.getApp,
      operations.updateApp,
      operations.forgetAccount,
      operations.deleteBlockedUrls,
    ]
    expect(others.flatMap(names)).toEqual([])
  })
})
