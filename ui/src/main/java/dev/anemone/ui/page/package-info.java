// SPDX-License-Identifier: Apache-2.0
/** The page: its files, and how it is written with a job in it. */
package dev.anemone.ui.page;
