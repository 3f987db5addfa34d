import { execFileSync } from 'node:child_process'
import { accessSync, chmodSync, constants, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
// biome-ignore lint/correctness/useImportExtensions: the rule takes the declaration file for the module.
import { findCommand } from '../../scripts/programs.mjs'

/** A Chromium that a device management has given a policy. */
export interface ManagedProgram {
  readonly executablePath: string
  /** Takes the policy back. */
  remove(): void
}

/** The only folder below which Chromium looks for policies on Linux. */
const systemFolder = '/etc/chromium'

/**
 * Makes a program that starts Chromium with a policy for extensions.
 *
 * Where the system lets us, the program gives itself a view of the file system in which the folder of policies is one
 * of the test's own: nobody else on the machine sees anything of it. Else, as in a container without that right, the
 * policy is put into the real folder until the browser is closed.
 *
 * @param folder where files of ours may be
 * @param extensions what is set for each extension, by its id
 * @throws if neither is possible: a managed browser needs a user namespace, or to be root
 */
export function managedProgram(
  program: string,
  folder: string,
  extensions: Readonly<Record<string, object>>,
): ManagedProgram {
  const policy = JSON.stringify({ '3rdparty': { extensions } })
  const unshare = privateView()
  if (unshare !== undefined) {
    const executablePath = join(folder, 'managed-chromium')
    const settings = join(folder, 'etc-chromium')
    writePolicy(settings, policy)
    const inside = `mount --bind "$0" ${systemFolder} && exec "$@"`
    writeFileSync(
      executablePath,
      `#!/bin/sh\nexec ${unshare} /bin/sh -c '${inside}' '${settings}' ${program} "$@"\n`,
    )
    chmodSync(executablePath, 0o755)
    return { executablePath, remove: () => {} }
  }
  try {
    const file = writePolicy(systemFolder, policy)
    accessSync(file, constants.W_OK)
    return { executablePath: program, remove: () => rmSync(file, { force: true }) }
  } catch (cause) {
    throw new Error(
      `A managed browser needs a policy in ${systemFolder}: run the tests as root, or let users make namespaces`,
      { cause },
    )
  }
}

function writePolicy(settings: string, policy: string): string {
  const folder = join(settings, 'policies', 'managed')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `muster-test-${process.pid}.json`)
  writeFileSync(file, policy)
  return file
}

/** The command that runs another one with a view of the file system of its own; undefined if that is not allowed. */
export function privateView(): string | undefined {
  const unshare = findCommand('unshare')
  if (unshare === undefined) return undefined
  return [`${unshare} --mount`, `${unshare} --user --map-root-user --mount`].find((command) => {
    const [program = '', ...options] = command.split(' ')
    try {
      execFileSync(program, [...options, 'true'], { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  })
}
