// SPDX-License-Identifier: Apache-2.0
/** How jobs are shown to people in browsers. */
package dev.anemone.ui;
