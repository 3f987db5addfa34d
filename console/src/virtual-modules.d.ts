declare module 'virtual:muster-declarations' {
  export const declarations: import('./data/declarations.ts').Declarations
}

declare module 'virtual:muster-app-names' {
  /** What people call the apps of the catalogue, by type, where the type alone does not tell. */
  export const appNames: Readonly<Record<string, string>>
}

declare module '*.css'
