import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parse as parseToml, TomlError } from 'smol-toml'
import { ConfigError } from '../lib/config-error.ts'
import { didYouMean } from '../lib/nearest.ts'
import { originAt } from '../lib/net/origin-at.ts'
import { mask, maskUrlPassword } from '../lib/secrets/redact.ts'
import { isPemText } from './config-kinds.ts'
import {
  environmentName,
  flagName,
  missingSettings,
  type SettingName,
  type SettingValues,
  settingNames,
  settingOf,
  tomlName,
} from './config-settings.ts'

/** Source of a value, by precedence. */
export type Source = 'flag' | 'environment' | 'muster.toml' | 'console' | 'default'

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Validated settings of a process. */
export type Config = SettingValues & {
  /** Path of the `muster.toml` that was read, if any. */
  readonly configFile: string | undefined
  readonly sources: Readonly<Record<SettingName, Source>>
}

/** Settings from the command line by key. `config` is the path of a `muster.toml`. */
export type ConfigFlags = Readonly<Partial<Record<SettingName | 'config', string | undefined>>>

/** Input of {@link loadConfig}. */
export interface ConfigInput {
  readonly env: Environment
  readonly flags: ConfigFlags
  /** Base of relative paths in flags and environment. Paths in `muster.toml` are relative to its folder. */
  readonly cwd: string
}

interface Given {
  readonly text: string
  readonly source: Source
  /** Name of the setting in its source, for errors. */
  readonly label: string
  readonly folder: string
}

interface ConfigFile {
  readonly path: string | undefined
  readonly members: Readonly<Record<string, unknown>>
}

/** Returns the environment of this process. No other code reads it. */
export function processEnvironment(): Environment {
  return process.env
}

/** Settings of traces. */
export interface TracingSettings {
  /** Share of new traces that are recorded, from 0 to 1. */
  readonly sampledRatio: number
  readonly serviceName: string
}

/**
 * Reads the settings of traces from OpenTelemetry's own variables. The exporter reads the others.
 *
 * @returns undefined unless a receiver is set
 * @throws ConfigError for an invalid ratio
 */
export function tracingSettings(environment = processEnvironment()): TracingSettings | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, OTEL_SDK_DISABLED } = environment
  const endpoint = OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || OTEL_EXPORTER_OTLP_ENDPOINT
  if (!endpoint || OTEL_SDK_DISABLED === 'true') return undefined
  const sampledRatio = Number(environment.OTEL_TRACES_SAMPLER_ARG || '1')
  if (!(sampledRatio >= 0 && sampledRatio <= 1))
    throw new ConfigError(['OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.'])
  return { sampledRatio, serviceName: environment.OTEL_SERVICE_NAME || 'muster' }
}

/**
 * Shortens DNS lookups of glibc (getaddrinfo) from 10 s to 4 s per unresponsive name server, unless `RES_OPTIONS` is set. A
 * process cannot exit during a lookup.
 */
export function limitSystemLookups(): void {
  process.env.RES_OPTIONS ??= 'timeout:2 attempts:2'
}

/**
 * Loads the settings. Precedence: flag, environment, `muster.toml` (in the data folder, or given by `--config`), default.
 * An empty text counts as not set.
 *
 * @throws ConfigError with all mistakes, including unknown names
 */
export function loadConfig({ env, flags, cwd }: ConfigInput): Config {
  const mistakes: string[] = unknownVariables(env)
  const file = readConfigFile({ env, flags, cwd }, mistakes)
  const values: Record<string, unknown> = {}
  const sources: Record<string, Source> = {}
  for (const name of settingNames) {
    const given = firstGiven(name, { env, flags, cwd }, file, mistakes)
    sources[name] = given?.source ?? 'default'
    values[name] = given === undefined ? undefined : readValue(name, given, mistakes)
  }
  if ((values.tlsCert === undefined) !== (values.tlsKey === undefined)) {
    mistakes.push('Set both MUSTER_TLS_CERT and MUSTER_TLS_KEY, or neither.')
  }
  const oidc = [values.oidcIssuer, values.oidcClientId, values.oidcClientSecret]
  if (oidc.includes(undefined) && oidc.some((value) => value !== undefined)) {
    mistakes.push(
      'Set all of MUSTER_OIDC_ISSUER, MUSTER_OIDC_CLIENT_ID and MUSTER_OIDC_CLIENT_SECRET, or none.',
    )
  }
  mistakes.push(...syslogMistakes(values), ...incompleteMistakes(values))
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  values.publicUrl ??= defaultPublicUrl(values as { plainHttp: boolean; host: string; port: number })
  return Object.freeze({ ...values, configFile: file.path, sources: Object.freeze(sources) }) as Config
}

/** Returns the default of `publicUrl`, with localhost instead of 127.0.0.1. */
const defaultPublicUrl = ({
  plainHttp,
  host,
  port,
}: {
  plainHttp: boolean
  host: string
  port: number
}): string => originAt(plainHttp ? 'http' : 'https', host === '127.0.0.1' ? 'localhost' : host, port)

function syslogMistakes(values: Readonly<Record<string, unknown>>): string[] {
  const names = (['eventsSyslogCa', 'eventsSyslogCert', 'eventsSyslogKey'] as const).filter(
    (name) => values[name] !== undefined,
  )
  const isSecured = String(values.eventsSyslogUrl).startsWith('tls://')
  const mistakes = (isSecured ? [] : names).map(
    (name) => `${environmentName(name)} requires a MUSTER_EVENTS_SYSLOG_URL that starts with tls://.`,
  )
  if ((values.eventsSyslogCert === undefined) !== (values.eventsSyslogKey === undefined))
    mistakes.push('Set both MUSTER_EVENTS_SYSLOG_CERT and MUSTER_EVENTS_SYSLOG_KEY, or neither.')
  return mistakes
}

/** Reports settings that need others. */
function incompleteMistakes(values: Readonly<Record<string, unknown>>): string[] {
  return missingSettings((name) => values[name] !== undefined).map(
    ({ name, missing }) => `Set ${environmentName(missing)}, too, or remove ${environmentName(name)}.`,
  )
}

/** Setting as shown by `muster config`. */
export interface SettingInEffect {
  readonly name: string
  readonly environment: string
  /** Effective value with secrets masked; null if unset. */
  readonly value: string | number | boolean | readonly string[] | null
  readonly source: Source
  readonly help: string
}

/** Returns all effective settings with their sources. Secrets are masked, including passwords in URLs. */
export function describeConfig(config: Config): readonly SettingInEffect[] {
  return settingNames.map((name) => ({
    name: tomlName(name),
    environment: environmentName(name),
    value: shown(name, config[name]),
    source: config.sources[name],
    help: settingOf(name).help,
  }))
}

function shown(name: SettingName, value: Config[SettingName]): SettingInEffect['value'] {
  if (value === undefined) return null
  const { secret } = settingOf(name)
  if (secret === 'whole' || Buffer.isBuffer(value)) return mask
  // Paths have PEM texts as values only if they were set in the console.
  if (typeof value === 'string' && isPemText(value)) return `a PEM text of ${value.length} characters`
  return secret === 'password' && typeof value === 'string' ? maskUrlPassword(value) : value
}

function readValue(name: SettingName, { text, label, folder }: Given, mistakes: string[]): unknown {
  const { kind, secret } = settingOf(name)
  const value = kind.parse(text, folder)
  // Never repeats an invalid URL that may hold a password: it cannot be parsed, so the password cannot be masked.
  const mayRepeat = secret === undefined && !/:\/\/[^/]*@/.test(text)
  const found = mayRepeat ? ` is ${JSON.stringify(text)}, but` : ''
  if (value === undefined) mistakes.push(`${label}${found} must be ${kind.allowed}.`)
  return value
}

function firstGiven(
  name: SettingName,
  { env, flags, cwd }: ConfigInput,
  file: ConfigFile,
  mistakes: string[],
): Given | undefined {
  const flag = flags[name]?.trim()
  if (flag) return { text: flag, source: 'flag', label: flagName(name), folder: cwd }
  const label = environmentName(name)
  const variable = env[label]?.trim()
  if (variable && !isFromKubernetes(label, variable))
    return { text: variable, source: 'environment', label, folder: cwd }
  const member = memberText(file, name, mistakes)
  if (member) {
    const folder = dirname(file.path ?? cwd)
    return { text: member, source: 'muster.toml', label: `${tomlName(name)} in muster.toml`, folder }
  }
  const { fallback } = settingOf(name)
  return fallback === undefined ? undefined : { text: fallback, source: 'default', label, folder: cwd }
}

function memberText({ members }: ConfigFile, name: SettingName, mistakes: string[]): string | undefined {
  const value = members[tomlName(name)]
  const { kind } = settingOf(name)
  if (kind.many && Array.isArray(value) && value.every((part) => typeof part === 'string'))
    return value.join(',')
  if (value === undefined || ['string', 'number', 'bigint', 'boolean'].includes(typeof value)) {
    return value === undefined ? undefined : String(value).trim()
  }
  mistakes.push(`${tomlName(name)} in muster.toml must be ${kind.allowed}.`)
  return undefined
}

function readConfigFile(input: ConfigInput, mistakes: string[]): ConfigFile {
  const { flags, env, cwd } = input
  const data =
    flags.data?.trim() || env[environmentName('data')]?.trim() || (settingOf('data').fallback ?? '')
  const path = flags.config ? resolve(cwd, flags.config) : join(resolve(cwd, data), 'muster.toml')
  try {
    const members: Record<string, unknown> = parseToml(readFileSync(path, 'utf8'))
    mistakes.push(...unknownMembers(members))
    return { path, members }
  } catch (error) {
    const isNone =
      error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(`${error.code}`)
    if (!isNone) mistakes.push(`${path} cannot be read: ${reasonOf(error)}`)
    else if (flags.config)
      mistakes.push(`--config ${JSON.stringify(flags.config)} is not the path of an existing file.`)
    return { path: isNone ? undefined : path, members: {} }
  }
}

/** Returns the error message. Only the first line of a parser error is used: the others quote the file, which may hold secrets. */
function reasonOf(error: unknown): string {
  if (!(error instanceof TomlError)) return error instanceof Error ? error.message : String(error)
  return `${error.message.split('\n', 1)[0]} (line ${error.line}, column ${error.column})`
}

function unknownMembers(members: object): string[] {
  const known = settingNames.map(tomlName)
  return Object.keys(members)
    .filter((name) => !known.includes(name))
    .map((name) => `${name} in muster.toml is not a known setting.${didYouMean(name, known)}`)
}

function unknownVariables(env: Environment): string[] {
  const known = settingNames.map(environmentName)
  return Object.entries(env)
    .filter(
      ([name, value]) =>
        name.startsWith('MUSTER_') && !known.includes(name) && !isFromKubernetes(name, value ?? ''),
    )
    .map(([name]) => `${name} in the environment is not a known setting.${didYouMean(name, known)}`)
}

/** Returns true for variables that Kubernetes sets for services named "muster" or "muster-…", which look like settings. */
function isFromKubernetes(name: string, value: string): boolean {
  const forService = /^MUSTER_(\w+_)?(SERVICE_(HOST|PORT\w*)|PORT_\d+_(TCP|UDP|SCTP)\w*)$/.test(name)
  return forService || (/^MUSTER_(\w+_)?PORT$/.test(name) && /^(tcp|udp|sctp):\/\//.test(value))
}
