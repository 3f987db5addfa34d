import { describe, expect, test } from 'vitest'
import { useCommandLine } from '../../../test/support/command-line.ts'
import { version } from '../kernel/lib/version.ts'
import { currentWords } from './commands.ts'

describe('names of commands', () => {
  const cli = useCommandLine('sqlite')

  test.each([
    ['catalogue list', 'catalog list'],
    ['enrolment-tokens list', 'enrollment-tokens list'],
  ])('the former name %s still works', async (former, current) => {
    await cli.run('org add emea')
    const expected = await cli.run(current)
    expect(expected.code).toBe(0)
    expect(await cli.run(former)).toEqual(expected)
  })

  test('muster --version prints the version', async () => {
    expect(await cli.run('--version')).toEqual({
      code: 0,
      stdout: `muster ${version} (Node ${process.versions.node})\n`,
      stderr: '',
    })
  })

  test('only the first word is replaced', () => {
    expect(currentWords(['org', 'add', 'catalogue'])).toEqual(['org', 'add', 'catalogue'])
    expect(currentWords([])).toEqual([])
  })
})
