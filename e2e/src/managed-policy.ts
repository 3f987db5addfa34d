import { execFileSync } from 'node:child_process'
import { accessSync, chmodSync, constants, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
// biome-ignore lint/correctness/useImportExtensions: the rule takes the declaration file for the module.
import { findCommand } from '../../scripts/programs.mjs'

/** Chromium with a device management policy. */
export interface ManagedProgram {
  readonly executablePath: string
  /** Removes the policy. */
  remove(): void
}

/** Only folder in which Chromium looks for policies on Linux. */
const systemFolder = '/etc/chromium'

/**
 * Creates a program that starts Chromium with a policy for extensions.
 *
 * If the system allows it, the program mounts a policy folder of the test in its own namespace, invisible to the rest
 * of the machine. Otherwise, as in a container without that right, the policy is written to the real folder until the
 * browser is closed.
 *
 * @param folder folder for generated files
 * @param extensions settings by extension ID
 * @throws if neither works: a managed browser needs a user namespace or root
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

/** Returns the command that runs another one in its own mount namespace; undefined if not allowed. */
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
