import type { PolicyBlockedUrl } from '@muster/contract/agent/agent-policy'
import type { Browser } from 'wxt/browser'
import { parseUrlPattern, schemesAndPorts, type UrlPattern } from './url-pattern.ts'

type Rule = Browser.declarativeNetRequest.Rule
type Condition = Browser.declarativeNetRequest.RuleCondition

/** Rule limits of a browser, from the API. */
export interface RuleLimits {
  readonly rules: number
  /** Limit for redirect rules, which is stricter than the one for block rules. */
  readonly redirects: number
  readonly regexes: number
}

/** Rules, and the blocked URLs that did not fit. */
export interface RulePlan {
  readonly rules: readonly Rule[]
  /** All regular expressions in the rules. The browser must confirm that it supports each. */
  readonly regexes: readonly string[]
  /** IDs of blocked URLs without a rule; only the tab watch enforces them. */
  readonly unenforced: readonly string[]
}

/** Patterns that differ only in their hosts and therefore share a condition and a rule. */
interface Group {
  readonly filter: { readonly urlFilter?: string; readonly regexFilter?: string }
  readonly coarse: string | null
  readonly hosts: string[]
  readonly ids: string[]
}

/**
 * Converts patterns into `declarativeNetRequest` rules.
 *
 * Patterns for whole hosts need only a few rules: their hosts become `requestDomains`, which match a host and its
 * subdomains. If only the host itself is meant, a regular expression that counts the host's labels excludes subdomains.
 * Patterns with the same path share a rule. All of these are exact. Patterns beyond the browser's limit of regular
 * expressions, or too long for one, get rules that may block more of the same host (a longer path, another port), never
 * less.
 *
 * @param blockPage path of the extension page to which main frames are redirected
 * @param refusedRegexes regular expressions that the browser does not support
 */
export function planBlocking(
  blockedUrls: readonly PolicyBlockedUrl[],
  blockPage: string,
  limits: RuleLimits,
  refusedRegexes: ReadonlySet<string> = new Set(),
): RulePlan {
  const groups = [...grouped(blockedUrls).values()].sort((a, b) => b.hosts.length - a.hosts.length)
  const isRegex = ({ filter }: Group) => filter.regexFilter !== undefined
  const isRefused = ({ filter }: Group) =>
    filter.regexFilter !== undefined && refusedRegexes.has(filter.regexFilter)
  const plain = groups.filter((group) => !isRegex(group))
  const regexes = groups.filter((group) => isRegex(group) && !isRefused(group)).slice(0, limits.regexes)
  const exact = [...plain, ...regexes].slice(0, limits.rules)
  const held = new Set(exact)
  const coarse = coarseGroups(groups.filter((group) => !held.has(group)))
  const blocked = [...exact, ...coarse].slice(0, limits.rules)
  const redirected = withRedirects(blocked, limits)
  return {
    rules: [
      ...blocked.map((group) => ({ group, action: { type: 'block' } as const, priority: 1 })),
      ...redirected.map((group) => ({
        group,
        action: { type: 'redirect', redirect: { extensionPath: blockPage } } as const,
        priority: 2,
      })),
    ].map(({ group, action, priority }, index) => ({
      id: index + 1,
      priority,
      action,
      condition: conditionOf(group, action.type === 'redirect' ? ['main_frame'] : allTypes),
    })),
    regexes: regexes.map(({ filter }) => filter.regexFilter ?? ''),
    unenforced: coarse.slice(limits.rules - exact.length).flatMap(({ ids }) => ids),
  }
}

/**
 * Returns the groups that get a second rule, which redirects to the block page directly. The others are redirected by
 * the tab watch.
 */
function withRedirects(blocked: readonly Group[], limits: RuleLimits): readonly Group[] {
  let regexesLeft = limits.regexes - blocked.filter(({ filter }) => filter.regexFilter !== undefined).length
  const room = Math.min(limits.redirects, limits.rules - blocked.length)
  return blocked
    .filter(({ filter }) => {
      if (filter.regexFilter === undefined) return true
      regexesLeft -= 1
      return regexesLeft >= 0
    })
    .slice(0, Math.max(0, room))
}

const allTypes = [
  'main_frame',
  'sub_frame',
  'stylesheet',
  'script',
  'image',
  'font',
  'object',
  'xmlhttprequest',
  'ping',
  'csp_report',
  'media',
  'websocket',
  'other',
] as const satisfies Condition['resourceTypes']

function conditionOf(
  { filter, hosts }: Group,
  resourceTypes: readonly (typeof allTypes)[number][],
): Condition {
  return {
    ...filter,
    ...(filter.urlFilter === undefined && filter.regexFilter === undefined
      ? {}
      : { isUrlFilterCaseSensitive: true }),
    requestDomains: [...new Set(hosts)],
    resourceTypes: [...resourceTypes],
  }
}

function grouped(blockedUrls: readonly PolicyBlockedUrl[]): Map<string, Group> {
  const groups = new Map<string, Group>()
  for (const { id, url } of blockedUrls) {
    const pattern = parseUrlPattern(url)
    if (!pattern) continue
    const filter = exactFilter(pattern)
    addTo(groups, JSON.stringify(filter), { filter, coarse: coarseFilter(pattern) }, [pattern.host], [id])
  }
  return groups
}

/** Regroups patterns by their coarse filters. */
function coarseGroups(groups: readonly Group[]): Group[] {
  const merged = new Map<string, Group>()
  for (const { coarse, hosts, ids } of groups) {
    const filter = coarse === null ? {} : { urlFilter: coarse }
    addTo(merged, coarse ?? '', { filter, coarse }, hosts, ids)
  }
  return [...merged.values()].sort((a, b) => b.hosts.length - a.hosts.length)
}

function addTo(
  groups: Map<string, Group>,
  key: string,
  { filter, coarse }: Pick<Group, 'filter' | 'coarse'>,
  hosts: readonly string[],
  ids: readonly string[],
): void {
  const group = groups.get(key) ?? { filter, coarse, hosts: [], ids: [] }
  group.hosts.push(...hosts)
  group.ids.push(...ids)
  groups.set(key, group)
}

/**
 * Classes of ASCII characters. Negated classes are expensive in the browser's regular expressions, and the matched
 * addresses are ASCII.
 */
const anything = '[!-~]*'
const notSlash = '[!-.0-~]'
const label = '[\\w-]+'

function exactFilter(pattern: UrlPattern): Group['filter'] {
  if (pattern.port === null && pattern.path === null && pattern.below)
    return pattern.scheme === null ? {} : { urlFilter: `|${pattern.scheme}://` }
  return { regexFilter: `^${originRegex(pattern)}/${pathRegex(pattern.path)}` }
}

/**
 * Returns the expression for scheme, user, host and port. `requestDomains` matches the host itself; here only its
 * labels are counted.
 */
function originRegex(pattern: UrlPattern): string {
  const host = hostRegex(pattern)
  const [first, second] = schemesAndPorts(pattern)
  const portRegex = (port: string | null | undefined) => (port === null ? '(?::\\d+)?' : (port ?? ''))
  if (second === undefined) return `${first?.scheme}://${host}${portRegex(first?.port)}`
  if (first?.port === second.port) return `https?://${host}${portRegex(second.port)}`
  return `(?:http://${host}${portRegex(first?.port)}|https://${host}${portRegex(second.port)})`
}

function hostRegex({ host, below }: UrlPattern): string {
  const user = `(?:${notSlash}*@)?`
  if (host.startsWith('[')) return `${user}\\[[0-9a-f:.]+\\]`
  if (below) return `${user}[\\w.-]+`
  const dots = host.split('.').length - 1
  return `${user}${label}${dots === 0 ? '' : `(?:\\.${label}){${dots}}`}\\.?`
}

/** Returns the expression for everything after the slash that follows the origin. */
function pathRegex(path: string | null): string {
  if (path === null) return ''
  const text = path.slice(1).split('*').map(escaped).join(anything)
  // Addresses include their fragments.
  return path.endsWith('*')
    ? text.slice(0, -anything.length)
    : `${text}(?:[${path.includes('?') ? '' : '?'}#]|$)`
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/**
 * Returns a filter that matches everything the pattern blocks: the scheme, and the path at any position. Null matches
 * the whole host.
 */
function coarseFilter({ scheme, path }: UrlPattern): string | null {
  const start = scheme === null ? '' : `|${scheme}://`
  if (path === null) return start === '' ? null : start
  // `^` and `|` are special in filters; replacing them by `*` matches at least as much.
  const text = path.replaceAll(/[\^|*]+/g, '*')
  return `${start === '' ? '' : `${start}*`}${text}*`.replaceAll('**', '*')
}
