import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import type { Config } from '../../kernel/config/config.ts'
import { ConfigError } from '../../kernel/lib/config-error.ts'
import { syslogTarget } from '../streams/streams.ts'
import { type CheckFinding, fail, messageOf, ok } from './check-finding.ts'

const answerWithinMs = 3000

/** Whether the streams of events that are set can be delivered to. */
export async function checkStreams(config: Config): Promise<CheckFinding[]> {
  return [...checkEventsFile(config), ...(await checkSyslog(config))]
}

function checkEventsFile({ eventsFile: path }: Config): CheckFinding[] {
  if (path === undefined) return []
  const what = [path, dirname(path)].find(existsSync) ?? dirname(dirname(path))
  try {
    accessSync(what, constants.W_OK)
    if (what === path && statSync(path).isDirectory()) throw new Error('it is a directory')
    return [ok('events file', `Events can be written to ${path}.`)]
  } catch (error) {
    const advice = 'Make its folder, let this user write there, or set MUSTER_EVENTS_FILE to another place.'
    return [fail('events file', `Events cannot be written to ${path}: ${messageOf(error)}.`, advice)]
  }
}

/** A connection that is ended without a message, as a batch of none. */
async function checkSyslog(config: Config): Promise<CheckFinding[]> {
  const { eventsSyslogUrl: url } = config
  try {
    const target = syslogTarget(config, hostname(), answerWithinMs)
    if (target === undefined) return []
    await target.deliver([])
    return [ok('syslog', `The receiver of events at ${url} can be reached.`)]
  } catch (error) {
    const advice =
      error instanceof ConfigError
        ? 'Correct it; muster config shows the settings in effect.'
        : 'Check that it runs, that MUSTER_EVENTS_SYSLOG_URL is right, and that its certificate leads to those of MUSTER_EVENTS_SYSLOG_CA. Events wait for it.'
    return [fail('syslog', `The receiver of events at ${url} cannot be used: ${messageOf(error)}.`, advice)]
  }
}
