import {
  AppWindow,
  Clock,
  Keyboard,
  type LucideIcon,
  Monitor,
  Moon,
  Plus,
  Puzzle,
  Sun,
  UserRound,
} from 'lucide-react'
import { useFirstRecords } from '../data/lists.ts'
import { personName } from '../data/person.ts'
import { recentPages } from '../data/recent-pages.ts'
import { recordPath } from '../list/record-path.ts'
import { newHash } from '../ui/dialog/use-new-dialog.ts'
import { counted } from '../ui/text/counted.ts'
import { setTheme, type Theme } from '../ui/theme.ts'
import { navPages } from './nav-pages.ts'

/** A page or action in the command palette. */
export interface PaletteEntry {
  readonly id: string
  readonly title: string
  readonly icon: LucideIcon
  /** Distinguishes entries with the same title. */
  readonly remark?: string
  /** Keyboard shortcut. */
  readonly keys?: string
  /** Path to open. An entry has either this or `run`. */
  readonly path?: string
  readonly run?: () => void
}

export interface PaletteGroup {
  readonly heading: string
  readonly entries: readonly PaletteEntry[]
}

const acts = [
  ['/controls/blocked-urls', 'Block addresses'],
  ['/controls/catalog', 'Add app or provider'],
  ['/employees', 'Add employee'],
  ['/keys', 'Create API key'],
  ['/webhooks', 'Add webhook'],
  ['/administrators', 'Invite administrator'],
] as const

const themes: readonly (readonly [Theme, string, LucideIcon])[] = [
  ['light', 'Theme: light', Sun],
  ['dark', 'Theme: dark', Moon],
  ['system', 'Theme: system', Monitor],
]

/** Returns the static entries: pages and actions. */
function fixedGroups(mayWrite: boolean, onHelp: () => void): PaletteGroup[] {
  const written = mayWrite
    ? acts.map(([path, title]) => ({ id: title, title, icon: Plus, path: `${path}#${newHash}` }))
    : []
  const others = themes.map(([theme, title, icon]) => ({
    id: theme,
    title,
    icon,
    run: () => setTheme(theme),
  }))
  return [
    {
      heading: 'Pages',
      entries: navPages.map(({ path, title, icon, key }) => ({
        id: path,
        title,
        icon,
        path,
        ...(key === undefined ? {} : { keys: `g ${key}` }),
      })),
    },
    {
      heading: 'Actions',
      entries: [
        ...written,
        ...others,
        { id: 'help', title: 'Show keyboard shortcuts', icon: Keyboard, keys: '?', run: onHelp },
      ],
    },
  ]
}

const foundAtMost = 5
const shortestSearch = 2

/** Searches employees, apps and extensions. */
function useFound(text: string): { groups: PaletteGroup[]; looking: boolean } {
  const options = { limit: foundAtMost, enabled: text.length >= shortestSearch }
  const people = useFirstRecords('employees', { search: text }, options)
  const apps = useFirstRecords('apps', { search: text }, options)
  const extensions = useFirstRecords('extensionGroups', { search: text }, options)
  if (!options.enabled) return { groups: [], looking: false }
  const groups = [
    {
      heading: 'Employees',
      entries: (people.data?.records ?? []).map((person) => ({
        id: person.id,
        title: personName(person),
        remark: person.email,
        icon: UserRound,
        path: recordPath('/employees/$id', person.id),
      })),
    },
    {
      heading: 'Apps',
      entries: (apps.data?.records ?? []).map(({ id, friendlyName, website }) => ({
        id,
        title: friendlyName,
        remark: website.replace(/^https?:\/\//, ''),
        icon: AppWindow,
        path: recordPath('/apps/$id', id),
      })),
    },
    {
      heading: 'Browser extensions',
      entries: (extensions.data?.records ?? []).map(({ extensionId, name, browsers }) => ({
        id: extensionId,
        title: name || extensionId,
        remark: `in ${counted(browsers, 'browser')}`,
        icon: Puzzle,
        path: recordPath('/extensions/$id', extensionId),
      })),
    },
  ]
  return { groups, looking: people.isPending || apps.isPending || extensions.isPending }
}

const recentAtMost = 5

/** Returns recently visited records, without the open one. */
const lookedAt = (open: string): PaletteEntry[] =>
  recentPages()
    .filter(({ path }) => path !== open && !navPages.some((page) => page.path === path))
    .slice(0, recentAtMost)
    .map(({ path, title }) => ({ id: `recent ${path}`, title, icon: Clock, path }))

/** Returns the palette entries for a text, by heading. */
export function usePaletteGroups(
  typed: string,
  found: string,
  { path, mayWrite, onHelp }: { path: string; mayWrite: boolean; onHelp: () => void },
): { groups: PaletteGroup[]; looking: boolean } {
  const stored = useFound(found)
  const wanted = typed.toLowerCase()
  const fixed = [{ heading: 'Recent', entries: lookedAt(path) }, ...fixedGroups(mayWrite, onHelp)]
  const named = fixed.map(({ heading, entries }) => ({
    heading,
    entries: entries.filter(({ title }) => title.toLowerCase().includes(wanted)),
  }))
  const groups = [...named, ...stored.groups].filter(({ entries }) => entries.length > 0)
  return { groups, looking: stored.looking }
}
