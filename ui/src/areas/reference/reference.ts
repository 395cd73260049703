// The page of this area.

export { ReferencePage } from './page';
