import type { ComponentType } from 'react';
import type { Text } from '../app/language.tsx';
import type { Role } from '../app/session.tsx';

export interface PageProps {
  /** The apiKey of the store that the address names. */
  store: string;
}

/** A page of the console: where it is, what it is called, who sees it. Its script is loaded when it is looked at. */
export interface PageEntry {
  /** `jobs`: /console/<store>/jobs */
  path: string;
  label: Text;
  roles: readonly Role[];
  /** Only for whoever is not kept to one store. */
  forAll?: boolean;
  /** Works where there is no store yet. */
  withoutStore?: boolean;
  load(): Promise<{ default: ComponentType<PageProps> }>;
}

/** In the order of the menu. */
export const pages: readonly PageEntry[] = [
  {
    path: 'catalog',
    label: { en: 'Catalog', pt: 'Catálogo', es: 'Catálogo' },
    roles: ['ops', 'relevance'],
    load: () => import('./catalog/CatalogPage.tsx'),
  },
  {
    path: 'insight',
    label: { en: 'Insight', pt: 'Métricas', es: 'Métricas' },
    roles: ['ops', 'relevance'],
    load: () => import('./insight/InsightPage.tsx'),
  },
  {
    path: 'lab',
    label: { en: 'Search lab', pt: 'Laboratório', es: 'Laboratorio' },
    roles: ['ops', 'relevance'],
    load: () => import('./lab/LabPage.tsx'),
  },
  {
    path: 'templates',
    label: { en: 'Templates', pt: 'Templates', es: 'Plantillas' },
    roles: ['ops', 'relevance'],
    load: () => import('./templates/TemplatesPage.tsx'),
  },
  {
    path: 'merchandising',
    label: { en: 'Merchandising', pt: 'Merchandising', es: 'Merchandising' },
    roles: ['ops', 'relevance'],
    load: () => import('./merchandising/MerchandisingPage.tsx'),
  },
  {
    path: 'shoppers',
    label: { en: 'Shoppers', pt: 'Clientes', es: 'Clientes' },
    roles: ['ops', 'relevance'],
    load: () => import('./shoppers/ShoppersPage.tsx'),
  },
  {
    path: 'jobs',
    label: { en: 'Jobs', pt: 'Tarefas', es: 'Tareas' },
    roles: ['ops', 'relevance'],
    withoutStore: true,
    load: () => import('./jobs/JobsPage.tsx'),
  },
  {
    path: 'stores',
    label: { en: 'Stores', pt: 'Lojas', es: 'Tiendas' },
    roles: ['ops', 'relevance'],
    withoutStore: true,
    load: () => import('./stores/StoresPage.tsx'),
  },
  {
    path: 'audit',
    label: { en: 'Audit', pt: 'Auditoria', es: 'Auditoría' },
    roles: ['ops', 'relevance'],
    withoutStore: true,
    load: () => import('./audit/AuditPage.tsx'),
  },
];
