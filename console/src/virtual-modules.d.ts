declare module 'virtual:muster-declarations' {
  export const declarations: import('./data/declarations.ts').Declarations
}

declare module 'virtual:muster-app-names' {
  /** Catalog app names that cannot be derived from their types. */
  export const appNames: import('./data/type-words.ts').AppNames
}

declare module 'virtual:muster-events' {
  /** Every event that Muster sends, in the order of the contract. */
  export const eventKinds: readonly {
    readonly object: import('@muster/contract/events/event-objects').EventObject
    readonly friendlyName: string
    readonly category: import('@muster/contract/events/event-envelope').EventCategory
  }[]
}

declare module '*.css'

declare module 'virtual:muster-guide' {
  /** Pages of the guide, in its order. */
  export const guidePages: readonly import('../guide-markdown.ts').GuidePage[]
}
