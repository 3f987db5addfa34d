declare module 'virtual:muster-declarations' {
  export const declarations: import('./data/declarations.ts').Declarations
}

declare module 'virtual:muster-app-names' {
  /** What people call the apps of the catalogue, by type, where the type alone does not tell. */
  export const appNames: Readonly<Record<string, string>>
}

declare module 'virtual:muster-events' {
  /** Every event that Muster sends, in the order of the contract. */
  export const eventKinds: readonly {
    readonly object: import('@muster/contract/event-objects').EventObject
    readonly friendlyName: string
    readonly category: import('@muster/contract/event-envelope').EventCategory
  }[]
}

declare module '*.css'
