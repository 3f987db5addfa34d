import { Clock, Keyboard, type LucideIcon, Monitor, Moon, Plus, Sun } from 'lucide-react'
import { recentPages } from '../data/recent-pages.ts'
import { newHash } from '../ui/dialog/use-new-dialog.ts'
import { setTheme, type Theme } from '../ui/theme.ts'
import { useFound } from './found-entries.ts'
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
  /** Path to open, with its query. An entry has either this or `run`. */
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
  ['/alerts', 'Add alert rule'],
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
