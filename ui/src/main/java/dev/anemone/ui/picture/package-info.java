// SPDX-License-Identifier: Apache-2.0
/** Plans as pictures for {@code --explain=svg}. */
package dev.anemone.ui.picture;
