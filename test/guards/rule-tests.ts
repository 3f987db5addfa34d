import { describe, expect, test } from 'vitest'
import { type FileRule, findOffences } from './repository.ts'

/** Tests each rule on its own samples, then on the repository. */
export function testRules(rules: readonly FileRule[]): void {
  describe.each(rules)('$guarantee', (rule) => {
    test.each(rule.bad)('is seen to be broken by the sample $path', (sample) => {
      expect(rule.applies(sample.path)).toBe(true)
      expect(rule.offences(sample)).not.toEqual([])
    })

    test.each(rule.good)('is seen to be kept by the sample $path', (sample) => {
      expect(rule.applies(sample.path) ? rule.offences(sample) : []).toEqual([])
    })

    test('holds in the repository', () => {
      expect(findOffences(rule)).toEqual([])
    })
  })
}
