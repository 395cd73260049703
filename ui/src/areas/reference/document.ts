// `GET /openapi.json`, as far as the page shows it: OpenAPI 3.1, as this service writes it.

import { ask } from '../../api/client';

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  allOf?: Schema[];
  /** What the text of a stream consists of. */
  'x-data'?: Schema;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Schema;
}

interface Content {
  schema?: Schema;
  example?: unknown;
  /** Several, by what each shows. */
  examples?: Record<string, { value: unknown }>;
}

/** A body as an example; with a name where there are several. */
export interface Example {
  name: string;
  value: unknown;
}

export interface Answer {
  description: string;
  headers?: Record<string, { description?: string }>;
  content?: Record<string, Content>;
}

interface Written {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security?: Record<string, unknown>[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, Content> };
  responses: Record<string, Answer>;
}

export interface Document {
  info: { title: string; version: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Written>>;
  webhooks: Record<string, Record<string, Written>>;
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, { description?: string }> };
}

/** How a request says who asks. */
export type Proof = 'signature' | 'user' | 'operator' | 'none';

export interface Operation {
  id: string;
  method: string;
  /** Undefined of a callback: it goes to the address of the channel. */
  path: string | undefined;
  /** The tag of the document; `callbacks` for what the service sends. */
  group: string;
  summary: string;
  description: string;
  proof: Proof;
  /** Which of the two signatures are taken: of the body, of the request. */
  signatures: readonly Signature[];
  parameters: readonly Parameter[];
  body: { isRequired: boolean; mediaType: string; schema: Schema; examples: readonly Example[] } | undefined;
  answers: readonly (Answer & { status: string })[];
  /** What a search looks through, in lower case. */
  text: string;
}

/** What is signed: the body alone, as in the 2019 generation, or the request with its date. */
export type Signature = 'bodySignature' | 'requestSignature';

export interface Reference {
  document: Document;
  operations: readonly Operation[];
}

export const CALLBACKS = 'callbacks';

let known: Promise<Reference> | undefined;

/** The document, asked for once: it is the same until the service is another one. */
export function reference(): Promise<Reference> {
  known ??= ask<Document>('/openapi.json').then(read);
  known.catch(() => (known = undefined));
  return known;
}

function read(document: Document): Reference {
  const order = document.tags.map((tag) => tag.name);
  const asked = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, written]) => operation(document, method, path, written)),
  );
  asked.sort((one, other) => order.indexOf(one.group) - order.indexOf(other.group));
  const sent = Object.values(document.webhooks).flatMap((methods) =>
    Object.entries(methods).map(([method, written]) => operation(document, method, undefined, written)),
  );
  return { document, operations: [...asked, ...sent] };
}

function operation(document: Document, method: string, path: string | undefined, written: Written): Operation {
  const schemes = (written.security ?? []).flatMap((scheme) => Object.keys(scheme));
  const parameters = written.parameters ?? [];
  const [mediaType, content] = Object.entries(written.requestBody?.content ?? {})[0] ?? [];
  const body =
    mediaType === undefined || content === undefined
      ? undefined
      : { isRequired: written.requestBody?.required === true, mediaType, schema: content.schema ?? {}, examples: examplesOf(content) };
  const names = [...parameters.map((it) => it.name), ...(body === undefined ? [] : fields(document, body.schema))];
  const { operationId: id, summary, description = '' } = written;
  return {
    id,
    method: method.toUpperCase(),
    path,
    group: path === undefined ? CALLBACKS : (written.tags[0] ?? ''),
    summary,
    description,
    proof: proofOf(schemes),
    signatures: (['bodySignature', 'requestSignature'] as const).filter((name) => schemes.includes(name)),
    parameters,
    body,
    answers: Object.entries(written.responses).map(([status, answer]) => ({ status, ...answer })),
    text: [id, method, path, summary, description, ...names].join(' ').toLowerCase(),
  };
}

function examplesOf({ example, examples = {} }: Content): Example[] {
  const named = Object.entries(examples).map(([name, { value }]) => ({ name, value }));
  return example === undefined ? named : [{ name: '', value: example }, ...named];
}

function proofOf(schemes: readonly string[]): Proof {
  if (schemes.some((name) => name.endsWith('Signature'))) return 'signature';
  if (schemes.includes('operator')) return 'operator';
  return schemes.length > 0 ? 'user' : 'none';
}

/** The names of all fields of a body, each schema that has a name once. */
function fields(document: Document, schema: Schema, seen = new Set<string>()): string[] {
  if (schema.$ref !== undefined) {
    if (seen.has(schema.$ref)) return [];
    seen.add(schema.$ref);
    return fields(document, resolved(document, schema), seen);
  }
  const inner = [...Object.values(schema.properties ?? {}), ...(schema.anyOf ?? []), ...(schema.items === undefined ? [] : [schema.items])];
  return [...Object.keys(schema.properties ?? {}), ...inner.flatMap((it) => fields(document, it, seen))];
}

/** What a reference leads to; what is beside it counts, too. */
export function resolved(document: Document, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...beside } = schema;
  const found = document.components.schemas[nameOf($ref)];
  return found === undefined ? beside : { ...found, ...beside };
}

/** The name at the end of a reference. */
export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

/** The operations in which all of these words occur. */
export function found(operations: readonly Operation[], group: string, query: string): readonly Operation[] {
  const wanted = query.toLowerCase().split(/\s+/).filter((word) => word !== '');
  return operations.filter(
    (operation) => (group === '' || operation.group === group) && wanted.every((word) => operation.text.includes(word)),
  );
}
