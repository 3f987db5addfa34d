import { describe, expect, test } from 'vitest'
import { type FileRule, findViolations } from './repository.ts'

/** Tests each rule on its own samples, then on the repository. */
export function testRules(rules: readonly FileRule[]): void {
  describe.each(rules)('$guarantee', (rule) => {
    test.each(rule.bad)('is violated by the sample $path', (sample) => {
      expect(rule.applies(sample.path)).toBe(true)
      expect(rule.violations(sample)).not.toEqual([])
    })

    test.each(rule.good)('is not violated by the sample $path', (sample) => {
      expect(rule.applies(sample.path) ? rule.violations(sample) : []).toEqual([])
    })

    test('holds in the repository', () => {
      expect(findViolations(rule)).toEqual([])
    })
  })
}
