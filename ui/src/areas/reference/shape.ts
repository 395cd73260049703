// A schema as lines that people read: names, types, limits, and what is inside.

import { type Document, type Schema, nameOf, resolved } from './document';

export interface Shape {
  /** Undefined where there is none: of the whole, and of one of several forms. */
  name: string | undefined;
  isRequired: boolean;
  /** `string (uuid)`, `array of object`, `string or null`. */
  type: string;
  /** `1 to 255 characters`, `one of: "a", "b"`. */
  limits: readonly string[];
  says: string;
  /** Of each list of names at least one has to be there. */
  needs: readonly (readonly string[])[];
  children: readonly Shape[];
  /** What is inside is not shown again: it is the same as around it. */
  repeats: boolean;
}

/** The shape of a schema. `within` names the schemas around it. */
export function shapeOf(document: Document, given: Schema, name?: string, isRequired = false, within: readonly string[] = []): Shape {
  const called = given.$ref === undefined ? undefined : nameOf(given.$ref);
  const around = called === undefined ? within : [...within, called];
  const schema = resolved(document, given);
  if (called !== undefined && within.includes(called)) {
    return { name, isRequired, type: `object ${called}`, limits: [], says: schema.description ?? '', needs: [], children: [], repeats: true };
  }
  const inner = schema.items === undefined ? undefined : shapeOf(document, schema.items, undefined, false, around);
  const forms = schema.anyOf?.map((form) => shapeOf(document, form, undefined, false, around)) ?? [];
  const real = forms.filter((form) => form.type !== 'null');
  const only = real.length === 1 ? real[0] : undefined;
  const base = { name, isRequired, says: [schema.description, only?.says].filter(Boolean).join(' '), repeats: false };
  if (only !== undefined) {
    return { ...only, ...base, type: forms.length > 1 ? `${only.type} or null` : only.type };
  }
  return {
    ...base,
    type: typeOf(schema, inner, forms, called),
    limits: [...limitsOf(schema), ...(inner === undefined || inner.children.length > 0 ? [] : inner.limits)],
    needs: (schema.allOf ?? []).map((need) => (need.anyOf ?? []).flatMap((one) => one.required ?? [])).filter((it) => it.length > 0),
    children: childrenOf(document, schema, inner, real, around),
  };
}

function childrenOf(document: Document, schema: Schema, inner: Shape | undefined, forms: readonly Shape[], around: readonly string[]): Shape[] {
  if (inner !== undefined) return inner.children.length > 0 ? [...inner.children] : [];
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) =>
    shapeOf(document, field, name, schema.required?.includes(name) === true, around),
  );
  // What must be there is read first; otherwise the document's order stays.
  fields.sort((one, other) => Number(other.isRequired) - Number(one.isRequired));
  const others =
    typeof schema.additionalProperties === 'object' ? [shapeOf(document, schema.additionalProperties, '*', false, around)] : [];
  const data = schema['x-data'] === undefined ? [] : shapeOf(document, schema['x-data'], undefined, false, around).children;
  return [...fields, ...others, ...(forms.some((form) => form.children.length > 0) ? forms : []), ...data];
}

function typeOf(schema: Schema, inner: Shape | undefined, forms: readonly Shape[], called: string | undefined): string {
  if (inner !== undefined) return inner.type === 'any' ? 'array' : `array of ${inner.type}`;
  if (forms.length > 0) return [...new Set(forms.map((form) => form.type))].join(' or ');
  if (schema.const !== undefined) return schema.const === null ? 'null' : JSON.stringify(schema.const);
  const kinds = [schema.type ?? (schema.enum === undefined ? [] : 'string')].flat();
  if (kinds.length === 0) return 'any';
  const format = schema.format === undefined || schema.format === 'int64' ? '' : ` (${schema.format})`;
  const name = called === undefined ? '' : ` ${called}`;
  return kinds.map((kind) => (kind === 'null' ? kind : kind + format + name)).join(' or ');
}

function limitsOf(schema: Schema): string[] {
  const range = (least: number | undefined, most: number | undefined, of: string): string[] => {
    if (least === undefined && most === undefined) return [];
    if (most === undefined) return [`at least ${least}${of}`];
    return [least === undefined ? `at most ${most}${of}` : least === most ? `exactly ${most}${of}` : `${least} to ${most}${of}`];
  };
  return [
    ...(schema.enum === undefined ? [] : [`one of: ${schema.enum.map((word) => JSON.stringify(word)).join(', ')}`]),
    ...range(schema.minimum, schema.maximum, ''),
    ...range(schema.minLength, schema.maxLength, ' characters'),
    ...range(schema.minItems, schema.maxItems, ' entries'),
    ...range(schema.minProperties, undefined, ' field'),
    ...(schema.default === undefined ? [] : [`default: ${JSON.stringify(schema.default)}`]),
  ];
}
