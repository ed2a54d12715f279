// SPDX-License-Identifier: Apache-2.0
/**
 * Pushdown: cuts the first operators behind a source into the source, where the storage side may
 * run them and that pays.
 */
package dev.anemone.passes.pushdown;
