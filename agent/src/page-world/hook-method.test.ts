import { describe, expect, test } from 'vitest'
import { getterOf, hookMethod } from './hook-method.ts'

class Store {
  readonly #value: string
  constructor(value: string) {
    this.#value = value
  }
  get kind(): string {
    return this.#value
  }
  read(suffix: string): string {
    return this.#value + suffix
  }
}

describe('a hooked method', () => {
  const shapeOf = () => {
    const { value, ...place } = Object.getOwnPropertyDescriptor(Store.prototype, 'read') ?? {}
    return [value.name, value.length, Object.hasOwn(value, 'prototype'), place]
  }
  const before = shapeOf()
  const heard: unknown[] = []
  hookMethod(Store.prototype, 'read', (native, args) => {
    heard.push(args[0])
    return native(args)
  })

  test('works as before, on the same object', () => {
    expect(new Store('a').read('!')).toBe('a!')
    expect(() => Store.prototype.read.call({} as Store, '?')).toThrow(TypeError)
    expect(heard).toEqual(['!', '?'])
  })

  test('looks as before, including its native source text', () => {
    expect(shapeOf()).toEqual(before)
    expect(Function.prototype.toString.call(Store.prototype.read)).toContain('[native code]')
  })

  test('cannot be inspected by polluting Object.prototype', () => {
    const prototype = Object.prototype as { get?: unknown }
    prototype.get = () => 'trapped'
    const { name } = Store.prototype.read
    delete prototype.get
    expect(name).toBe('read')
  })
})

test('a missing method is not hooked', () => {
  const answer = () => undefined
  hookMethod(undefined, 'read', answer)
  hookMethod(Store.prototype, 'write', answer)
  expect('write' in Store.prototype).toBe(false)
})

test('a captured getter is not affected by later replacement', () => {
  const kindOf = getterOf(Store.prototype, 'kind')
  Object.defineProperty(Store.prototype, 'kind', { get: () => 'forged' })
  expect(kindOf?.(new Store('real'))).toBe('real')
  expect(getterOf(Store.prototype, 'missing')).toBeUndefined()
})
