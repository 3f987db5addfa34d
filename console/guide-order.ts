/** A group of pages of the guide, in the order of a reader. */
interface GuideGroup {
  readonly title: string
  /** Names of the files, without `.md`. */
  readonly pages: readonly string[]
}

/** All groups of the guide. Pages that are in none come last. */
export const guideGroups: readonly GuideGroup[] = [
  {
    title: 'Start',
    pages: [
      'quick-start',
      'concepts',
      'console',
      'apps',
      'findings',
      'priority',
      'trends',
      'sign-in-attempts',
    ],
  },
  { title: 'Deploy', pages: ['installing', 'settings', 'upgrading', 'signing-in'] },
  {
    title: 'Integrate',
    pages: [
      'integrating',
      'using-the-api',
      'sdk',
      'recipes',
      'assistants',
      'scim',
      'alerts',
      'events',
      'siem',
      'notices',
    ],
  },
  { title: 'Operate', pages: ['operating', 'monitoring', 'audit'] },
  { title: 'Security', pages: ['security-model', 'threat-model', 'privacy', 'agent-permissions'] },
  { title: 'Help', pages: ['faq'] },
]

/** Returns the groups with all of these pages, those without a group at the end. */
export function groupPages(names: readonly string[]): readonly GuideGroup[] {
  const grouped = new Set(guideGroups.flatMap(({ pages }) => pages))
  const rest = names.filter((name) => !grouped.has(name)).sort()
  const groups = guideGroups.map(({ title, pages }) => ({
    title,
    pages: pages.filter((name) => names.includes(name)),
  }))
  return [...groups, { title: 'More', pages: rest }].filter(({ pages }) => pages.length > 0)
}
