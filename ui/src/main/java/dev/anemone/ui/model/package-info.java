// SPDX-License-Identifier: Apache-2.0
/** What there is to show of a job, folded from its events. Knows no page and no server. */
package dev.anemone.ui.model;
