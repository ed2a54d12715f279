// SPDX-License-Identifier: Apache-2.0
/** Checks of input and output locations that fail before any work is done. */
package dev.anemone.examples.files;
