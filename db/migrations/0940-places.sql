-- Addresses and places of the installed maps, for search and reverse geocoding. They belong to no organization. Each
-- build of a map fills tables of its own; making it current attaches them here, so that a search sees the old rows or
-- the new ones, never both. New, empty tables: no lock matters.
create table place_versions (
  id int generated always as identity primary key,
  region text not null,
  version text not null unique,
  is_current boolean not null default false,
  created_at timestamptz not null default now()
);

-- What has a name: streets, places, points of interest, postcodes. Coordinates in 1e-7 degrees; y is the Mercator
-- projection of the latitude in the same unit, so that distances compare in both directions.
create table place_entries (
  version_id int not null,
  id int not null,
  kind text not null check (kind in ('street', 'place', 'interest', 'postcode')),
  osm_type text,
  osm_id bigint,
  category text not null,
  type text not null,
  rank smallint not null,
  importance real not null,
  name text not null,
  -- Other names by tag: name:ar, alt_name.
  names jsonb,
  spellings text[] not null,
  -- Hashes of the words of its names and of the areas around it.
  words int[] not null,
  parents int[] not null,
  passes int[],
  extra text,
  country text not null,
  postcode text,
  city text,
  house_number text,
  street_name text,
  lon int not null,
  lat int not null,
  y int not null,
  -- West, south, east, north.
  bounds int[] not null
) partition by list (version_id);

create table place_houses (
  version_id int not null,
  street int not null,
  -- The number that the text begins with.
  value int,
  number text not null,
  osm_type text not null,
  osm_id bigint not null,
  building text,
  is_interpolated boolean not null,
  is_interest boolean not null,
  postcode text,
  parents int[],
  lon int not null,
  lat int not null,
  y int not null
) partition by list (version_id);

-- Parts of streets, for what is nearest to a place: longitudes and latitudes alternate.
create table place_lines (
  version_id int not null,
  street int not null,
  extent box not null,
  line int[] not null
) partition by list (version_id);

create table place_crossings (
  version_id int not null,
  street int not null,
  other int not null,
  lon int not null,
  lat int not null
) partition by list (version_id);

-- The words of all names, with the hashes of what remains without one character: a word with a typing error shares one.
create table place_words (
  version_id int not null,
  word text collate "C" not null,
  entries int not null,
  deletions int[] not null
) partition by list (version_id);
