// SPDX-License-Identifier: Apache-2.0
/** How tables lie in files: Parquet, CSV as the engine reads it, CSV as Java programs do. */
package dev.anemone.ndp.format;
