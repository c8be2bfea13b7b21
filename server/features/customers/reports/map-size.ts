/** Of the map in a report, in points; a tile is drawn so large. */
export const mapWidth = 499
export const mapHeight = 190
export const tileSize = 300
