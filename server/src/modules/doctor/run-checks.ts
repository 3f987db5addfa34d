import type { Config } from '../../kernel/config/config.ts'
import { ConfigError } from '../../kernel/lib/config-error.ts'
import { configsInEffect } from '../settings/organization-configs.ts'
import {
  type CheckContext,
  type DoctorCheck,
  fail,
  messageOf,
  type NamedFinding,
  named,
} from './doctor-check.ts'
import { requireServable } from './require-servable.ts'

/**
 * Runs checks one after the other. A check that throws is reported and does not prevent the others. With invalid
 * settings only their mistakes are reported.
 */
export async function runChecks(
  checks: readonly DoctorCheck[],
  readConfig: () => Config,
  nowMs: number,
): Promise<NamedFinding[]> {
  let config: Config
  try {
    config = readConfig()
    requireServable(config)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const advice = 'Correct it and run muster doctor again: the other checks need valid settings.'
    return error.mistakes.map((mistake) => named('settings', fail(mistake, advice)))
  }
  const inEffect = await configsInEffect(config).catch(() => {
    // The check of the database says what is wrong with it.
    return { config, others: [] }
  })
  const findings: NamedFinding[] = []
  for (const check of checks) findings.push(...(await runCheck(check, { ...inEffect, nowMs })))
  return findings
}

async function runCheck({ name, run }: DoctorCheck, context: CheckContext): Promise<NamedFinding[]> {
  try {
    return (await run(context)).map((finding) => named(finding.check ?? name, finding))
  } catch (error) {
    const message = `The check "${name}" could not be completed: ${messageOf(error)}.`
    return [named('doctor', fail(message, 'Run muster doctor as the user that runs the server.'))]
  }
}
