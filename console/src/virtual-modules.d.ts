declare module 'virtual:muster-declarations' {
  export const declarations: import('./data/declarations.ts').Declarations
}

declare module '*.css'
