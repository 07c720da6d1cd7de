import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { projectRoot } from '../../src/storage/threads';
import { environmentOf, stagesOf } from '../image/dockerfile';

export interface Probe {
  httpGet: { path: string; port: string };
  periodSeconds: number;
  timeoutSeconds: number;
  failureThreshold: number;
}

export interface Container {
  name: string;
  image: string;
  args?: string[];
  envFrom: { configMapRef: { name: string } }[];
  env?: { name: string; value: string }[];
  ports: { name: string; containerPort: number }[];
  startupProbe: Probe;
  livenessProbe: Probe;
  readinessProbe: Probe;
  resources: { requests: Record<string, string>; limits: Record<string, string> };
  securityContext: Record<string, unknown>;
  volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[];
}

type Labels = Record<string, string>;

export interface Manifest {
  kind: string;
  metadata: { name: string; labels?: Labels };
  data?: Record<string, string>;
  spec?: {
    replicas?: number;
    minReplicas?: number;
    maxReplicas?: number;
    maxUnavailable?: number;
    strategy?: { rollingUpdate: { maxSurge: number; maxUnavailable: number } };
    scaleTargetRef?: { kind: string; name: string };
    selector?: { matchLabels: Labels } & Labels;
    podSelector?: { matchLabels: Labels };
    ports?: { port: number; targetPort: string }[];
    ingress?: { ports: { port: string | number }[] }[];
    egress?: { ports: { port: string | number }[] }[];
    template?: {
      metadata: { labels: Labels };
      spec: {
        serviceAccountName: string;
        enableServiceLinks: boolean;
        terminationGracePeriodSeconds: number;
        securityContext: Record<string, unknown>;
        containers: [Container];
        volumes: { name: string; secret?: { secretName: string }; emptyDir?: object }[];
      };
    };
  };
}

export const FOLDER = 'ops/kubernetes';

export const read = (name: string): string => readFileSync(join(projectRoot, name), 'utf8');

/** YAML of version 1.2, with the merges that compose knows. */
export const parseYaml = (text: string): unknown => parse(text, { merge: true });

export const kustomization = parseYaml(read(`${FOLDER}/kustomization.yaml`)) as {
  resources: string[];
  images: { name: string; newTag: string }[];
};

/** Of every file in the folder. */
export const files = readdirSync(join(projectRoot, FOLDER)).filter((name) => name !== 'kustomization.yaml');

export const manifests: readonly Manifest[] = files.flatMap((name) =>
  parseAllDocuments(read(`${FOLDER}/${name}`)).map((document) => {
    if (document.errors.length > 0) throw new Error(`${name}: ${document.errors.join('; ')}`);
    return document.toJS() as Manifest;
  }),
);

export function manifest(kind: string, name: string): Manifest {
  const found = manifests.find((one) => one.kind === kind && one.metadata.name === name);
  if (!found) throw new Error(`There is no ${kind} ${name}`);
  return found;
}

/** What the last stage of the Dockerfile declares. */
export const imageEnvironment: Readonly<Record<string, string>> = environmentOf(
  stagesOf(read('Dockerfile')).at(-1) ?? { instructions: [] },
);
